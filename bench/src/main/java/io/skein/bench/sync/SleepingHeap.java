package io.skein.bench.sync;

import io.skein.bench.UsedHeap;
import io.skein.time.Time;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The heap that a sleeping coroutine holds, with its thread, its stack and its timer: used heap after a collection while many
 * sleep, less that before, over how many there are.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
public class SleepingHeap {
    private static final Duration LONG = Duration.ofHours(1);

    /** After so many, the frames are those of compiled code, as in a program that has run for a while. */
    private static final int SMALL_CROWDS = 20;

    private static final int SMALL = 5_000;

    @Param("1000000")
    public int sleeping;

    /** What the benchmark reports beside its time. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Heap {
        public double bytes;
    }

    @Setup
    public void warmUp(Team team) throws InterruptedException {
        for (int i = 0; i < SMALL_CROWDS; i++) {
            bytesOfEach(SMALL, team);
        }
    }

    @Benchmark
    public void sleeping(Team team, Heap heap) throws InterruptedException {
        heap.bytes = bytesOfEach(sleeping, team);
    }

    private static double bytesOfEach(int count, Team team) throws InterruptedException {
        Thread[] threads = new Thread[count];
        Crowd crowd = new Crowd(count);
        Runner.Body body = team.contender().equals(Contenders.SKEIN) ? crowd::sleepInSkein : crowd::sleepInJdk;
        long before = UsedHeap.bytes();
        for (int i = 0; i < count; i++) {
            threads[i] = team.start(body);
        }
        crowd.arrived.await();
        long used = UsedHeap.bytes() - before;
        for (Thread thread : threads) {
            thread.interrupt();
        }
        crowd.left.await();
        return (double) used / count;
    }

    private static final class Crowd {
        final CountDownLatch arrived;
        final CountDownLatch left;

        Crowd(int count) {
            arrived = new CountDownLatch(count);
            left = new CountDownLatch(count);
        }

        void sleepInSkein() {
            arrived.countDown();
            try {
                Time.sleep(LONG);
            } catch (InterruptedException awoken) {
                left.countDown();
            }
        }

        void sleepInJdk() {
            arrived.countDown();
            try {
                Thread.sleep(LONG);
            } catch (InterruptedException awoken) {
                left.countDown();
            }
        }
    }
}
