package io.skein.bench.scheduler;

import io.skein.bench.UsedHeap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The heap that a parked coroutine holds, with its thread, its stack and its place in every register of threads: used
 * heap after a collection while many are parked, less that before, over how many there are.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
public class ParkedHeap {
    /** After so many, the frames are those of compiled code, as in a program that has run for a while. */
    private static final int SMALL_CROWDS = 20;

    private static final int SMALL = 5_000;

    @Param("200000")
    public int parked;

    /** What the benchmark reports beside its time. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Heap {
        public double bytes;
    }

    @Setup
    public void warmUp(Host host) throws InterruptedException {
        for (int i = 0; i < SMALL_CROWDS; i++) {
            bytesOfEach(SMALL, host.coroutines());
        }
    }

    @Benchmark
    public void parked(Host host, Heap heap) throws InterruptedException {
        heap.bytes = bytesOfEach(parked, host.coroutines());
    }

    private static double bytesOfEach(int count, Coroutines coroutines) throws InterruptedException {
        Thread[] threads = new Thread[count];
        Crowd crowd = new Crowd(count);
        Body body = crowd::parkUntilDismissed;
        long before = UsedHeap.bytes();
        for (int i = 0; i < count; i++) {
            threads[i] = coroutines.start(body);
        }
        crowd.arrived.await();
        long used = UsedHeap.bytes() - before;
        crowd.dismissed = true;
        for (Thread thread : threads) {
            LockSupport.unpark(thread);
        }
        crowd.left.await();
        return (double) used / count;
    }

    private static final class Crowd {
        final CountDownLatch arrived;
        final CountDownLatch left;
        volatile boolean dismissed;

        Crowd(int count) {
            arrived = new CountDownLatch(count);
            left = new CountDownLatch(count);
        }

        void parkUntilDismissed() {
            arrived.countDown();
            while (!dismissed) {
                LockSupport.park();
            }
            left.countDown();
        }
    }
}
