package io.skein.bench.scheduler;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/**
 * One coroutine unparks all of many that are parked, and parks until the last of them has run: what a worker does with
 * a batch of completions. One operation is an unpark, a switch to the coroutine, and its park. Starting and ending the
 * many is inside the measured time, and one in a thousand of it.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ParkUnpark {
    private static final int SLEEPERS = 100;
    private static final int ROUNDS = 1_000;

    @Benchmark
    @OperationsPerInvocation(ROUNDS * SLEEPERS)
    public void parkUnpark(Host host) throws InterruptedException {
        host.coroutines().blockOn(() -> {
            Dormitory dormitory = new Dormitory();
            Thread[] sleepers = new Thread[SLEEPERS];
            for (int i = 0; i < SLEEPERS; i++) {
                sleepers[i] = host.coroutines().start(dormitory::sleep);
            }
            for (int i = 0; i < ROUNDS; i++) {
                dormitory.wake(sleepers, i + 1);
            }
        });
    }

    /** One thread runs all who sleep here, and who wakes them, so plain fields do. */
    private static final class Dormitory {
        private @Nullable Thread waker;
        private int round;
        private int awake;

        void wake(Thread[] sleepers, int next) {
            waker = Thread.currentThread();
            awake = 0;
            round = next;
            for (Thread sleeper : sleepers) {
                LockSupport.unpark(sleeper);
            }
            while (awake < SLEEPERS) {
                LockSupport.park();
            }
        }

        void sleep() {
            int seen = 0;
            while (seen < ROUNDS) {
                while (round == seen) {
                    LockSupport.park();
                }
                seen = round;
                if (++awake == SLEEPERS) {
                    LockSupport.unpark(waker);
                }
            }
        }
    }
}
