package io.skein.bench.sync;

import io.skein.Action;
import io.skein.sync.Mutex;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/**
 * Ten coroutines want the same mutex, again and again. Now and then its holder gives way to the others, who then find it held.
 * One operation is one lock and one unlock.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ContendedMutex {
    private static final int COROUTINES = 10;
    private static final int LOCKS_OF_EACH = 5_000;
    private static final int LOCKS = COROUTINES * LOCKS_OF_EACH;

    /** One lock in so many is held while others run. */
    private static final int HELD_LONG = 16;

    @Benchmark
    @OperationsPerInvocation(LOCKS)
    public void lockUnlock(Team team) throws InterruptedException {
        Guard guard = Guard.of(team.contender());
        Counter counter = new Counter();
        Action body = () -> {
            for (int i = 0; i < LOCKS_OF_EACH; i++) {
                guard.lock();
                counter.value++;
                if (i % HELD_LONG == 0) {
                    giveWay();
                }
                guard.unlock();
            }
        };
        team.together(Collections.nCopies(COROUTINES, body));
        check(counter.value);
    }

    @Benchmark
    @OperationsPerInvocation(LOCKS)
    public void kotlin() {
        check(KotlinMutex.onOneThread(COROUTINES, LOCKS_OF_EACH, HELD_LONG));
    }

    @Benchmark
    @OperationsPerInvocation(LOCKS)
    public void kotlinOnItsPool() {
        check(KotlinMutex.onPool(COROUTINES, LOCKS_OF_EACH, HELD_LONG));
    }

    @SuppressWarnings("ThreadPriorityCheck") // a virtual thread goes to the end of the queue
    private static void giveWay() {
        Thread.yield();
    }

    private static void check(int counted) {
        if (counted != LOCKS) {
            throw new IllegalStateException("counted to " + counted + " in " + LOCKS + " turns");
        }
    }

    /** Guarded by the mutex. */
    private static final class Counter {
        int value;
    }

    /** What one thread holds at a time. */
    private interface Guard {
        void lock() throws InterruptedException;

        void unlock();

        static Guard of(String contender) {
            return switch (contender) {
                case Contenders.SKEIN -> new OfSkein(new Mutex());
                case Contenders.JUC, Contenders.SKEIN_JUC -> new OfJdk(new ReentrantLock());
                default -> throw new IllegalArgumentException("'" + contender + "' has no mutex");
            };
        }
    }

    private record OfSkein(Mutex mutex) implements Guard {
        @Override
        public void lock() throws InterruptedException {
            mutex.lock();
        }

        @Override
        public void unlock() {
            mutex.unlock();
        }
    }

    private record OfJdk(ReentrantLock mutex) implements Guard {
        @Override
        public void lock() throws InterruptedException {
            mutex.lockInterruptibly();
        }

        @Override
        public void unlock() {
            mutex.unlock();
        }
    }
}
