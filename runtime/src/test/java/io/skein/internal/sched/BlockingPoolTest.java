package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Skein;
import io.skein.internal.Uninterruptibly;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockingPoolTest {
    private static final long LONG_IDLE = TimeUnit.MINUTES.toNanos(1);
    private static final int ROUNDS = 20_000;

    /** What the JVM throws when the system has no more threads. */
    private static final class NoThread extends OutOfMemoryError {
        private static final long serialVersionUID = 1;

        NoThread() {
            super("unable to create native thread");
        }
    }

    private static BlockingPool pool(int cap, long idleNanos) {
        return new BlockingPool("test", cap, new CpuAffinity(false), idleNanos, Thread::start);
    }

    /** Threads end about when the next call comes. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void noCallIsStrandedWhenAThreadEndsMeanwhile(int cap) throws Exception {
        BlockingPool pool = pool(cap, 20_000);
        try (ExecutorService callers =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory())) {
            Future<?> calls = callers.submit(() -> {
                for (int i = 0; i < ROUNDS; i++) {
                    int number = i;
                    assertThat(pool.call(() -> number)).isEqualTo(number);
                    long pause =
                            ThreadLocalRandom.current().nextLong(150_000); // a thread's sleep takes longer than it says
                    for (long end = System.nanoTime() + pause; System.nanoTime() < end; ) {
                        Thread.onSpinWait();
                    }
                }
                return null;
            });
            try {
                calls.get(1, TimeUnit.MINUTES);
            } finally {
                calls.cancel(true);
            }
        }
        pool.close();
    }

    /** With one worker the caller that starts the only thread goes on when the others let it. */
    @Test
    void anInterruptedCallerThatWaitsForAnothersStartHoldsNoWorker() throws Exception {
        CountDownLatch starting = new CountDownLatch(1);
        CountDownLatch mayStart = new CountDownLatch(1);
        BlockingPool pool = new BlockingPool("test", 1, new CpuAffinity(false), LONG_IDLE, thread -> {
            starting.countDown();
            Uninterruptibly.run(mayStart::await);
            thread.start();
        });
        Skein skein = Skein.builder().workers(1).watchdog(Duration.ZERO).start();
        try {
            Coroutine<Integer> starter = skein.spawn(() -> pool.call(() -> 1));
            starting.await();
            Coroutine<Boolean> interrupted = skein.spawn(() -> {
                Thread.currentThread().interrupt();
                pool.execute(() -> {});
                return Thread.interrupted();
            });
            Coroutine<?> last = skein.spawn(mayStart::countDown); // runs after the interrupted one

            assertThat(interrupted.get(1, TimeUnit.MINUTES))
                    .as("still interrupted")
                    .isTrue();
            assertThat(starter.join()).isEqualTo(1);
            last.join();
        } finally {
            mayStart.countDown(); // where it has failed
            assertThat(skein.close(Duration.ofMinutes(1))).as("closed").isTrue();
        }
        pool.close();
    }

    /** One thread is busy for long, the other one ends about when a call comes. */
    @Test
    void noCallWaitsBehindABusyThreadWhenTheOtherOneEndsMeanwhile() throws Exception {
        BlockingPool pool = pool(2, 20_000);
        CountDownLatch release = new CountDownLatch(1);
        pool.execute(() -> Uninterruptibly.run(release::await));
        try (ExecutorService callers =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory())) {
            Future<?> calls = callers.submit(() -> {
                for (int i = 0; i < ROUNDS; i++) {
                    pool.call(() -> 1);
                    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(40_000));
                }
                return null;
            });
            try {
                calls.get(1, TimeUnit.MINUTES);
            } finally {
                calls.cancel(true);
                release.countDown();
            }
        }
        pool.close();
    }

    @Test
    void aCallFailsWhereThereIsNoThreadAndNoneCanBeStartedAndTheNextOneFindsAllAsItWas() throws Exception {
        AtomicBoolean exhausted = new AtomicBoolean(true);
        BlockingPool pool = new BlockingPool("test", 1, new CpuAffinity(false), LONG_IDLE, thread -> {
            if (exhausted.get()) {
                throw new NoThread();
            }
            thread.start();
        });

        for (int i = 0; i < 3; i++) {
            assertThatExceptionOfType(NoThread.class).isThrownBy(() -> pool.call(() -> 1));
        }
        exhausted.set(false);

        assertThat(pool.call(() -> 2)).isEqualTo(2);
        pool.close();
    }

    @Test
    void aTaskWaitsForAThreadThatLivesWhereNoOtherCanBeStarted() throws Exception {
        AtomicInteger started = new AtomicInteger();
        BlockingPool pool = new BlockingPool("test", 3, new CpuAffinity(false), LONG_IDLE, thread -> {
            if (started.getAndIncrement() > 0) {
                throw new NoThread();
            }
            thread.start();
        });
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch ran = new CountDownLatch(2);
        pool.execute(() -> Uninterruptibly.run(release::await));

        pool.execute(ran::countDown);
        pool.execute(ran::countDown);
        assertThat(ran.getCount()).isEqualTo(2);
        release.countDown();

        ran.await();
        pool.close();
    }

    @Test
    void aCallerDoesNotRelyOnAThreadThatAnotherFailsToStart() throws Exception {
        CountDownLatch beginning = new CountDownLatch(1);
        CountDownLatch fail = new CountDownLatch(1);
        AtomicInteger attempts = new AtomicInteger();
        BlockingPool pool = new BlockingPool("test", 1, new CpuAffinity(false), LONG_IDLE, thread -> {
            if (attempts.getAndIncrement() == 0) {
                beginning.countDown();
                Uninterruptibly.run(fail::await);
                throw new NoThread();
            }
            thread.start();
        });
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> failing = callers.submit(() -> pool.execute(() -> {}));
            beginning.await();
            CountDownLatch called = new CountDownLatch(1);
            Future<Integer> other = callers.submit(() -> {
                called.countDown();
                return pool.call(() -> 1);
            });
            called.await();
            fail.countDown();

            assertThat(other.get()).isEqualTo(1);
            Await.until("the first call has failed", () -> failing.state() == Future.State.FAILED);
        }
        pool.close();
    }

    @Test
    void aTaskThatFailsCostsNoThread() throws Exception {
        AtomicInteger started = new AtomicInteger();
        BlockingPool pool = new BlockingPool("test", 1, new CpuAffinity(false), LONG_IDLE, thread -> {
            started.incrementAndGet();
            thread.setUncaughtExceptionHandler((_, _) -> {});
            thread.start();
        });

        for (int i = 0; i < 10; i++) {
            pool.execute(() -> {
                throw new IllegalStateException("meant to fail");
            });
        }

        assertThat(pool.call(() -> 1)).isEqualTo(1);
        assertThat(started).hasValue(1);
        pool.close();
    }

    @Test
    void anInterruptThatATaskLeavesBehindIsNotTheNextOnes() throws Exception {
        BlockingPool pool = pool(1, LONG_IDLE);

        for (int i = 0; i < 10; i++) {
            pool.execute(() -> Thread.currentThread().interrupt());

            assertThat(pool.call(() -> Thread.currentThread().isInterrupted())).isFalse();
        }
        pool.close();
    }

    @Test
    void aCloseRunsWhatWaitsAndRefusesMore() throws Exception {
        BlockingPool pool = pool(1, LONG_IDLE);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger ran = new AtomicInteger();
        pool.execute(() -> Uninterruptibly.run(release::await));
        for (int i = 0; i < 5; i++) {
            pool.execute(ran::incrementAndGet);
        }
        Thread closer = Thread.ofPlatform().start(pool::close);
        Await.untilWaiting(closer);

        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> pool.execute(() -> {}));
        release.countDown();
        closer.join();

        assertThat(ran).hasValue(5);
    }

    @Test
    void anInterruptedCloseInterruptsWhatRuns() throws Exception {
        BlockingPool pool = pool(2, LONG_IDLE);
        CountDownLatch blocked = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            pool.execute(() -> {
                blocked.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        blocked.await();
        Thread closer = Thread.ofPlatform().start(pool::close);
        Await.untilWaiting(closer);

        closer.interrupt();

        closer.join();
    }
}
