package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.Await;
import io.skein.LeakCheck;
import io.skein.internal.loom.Loom;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
@Timeout(60)
class SpareCarriersTest {
    private static final long LONG_IDLE = TimeUnit.MINUTES.toNanos(1);
    private static final long SHORT_IDLE = TimeUnit.MILLISECONDS.toNanos(20);

    private final Set<Thread> carriers = ConcurrentHashMap.newKeySet();
    private final Semaphore ended = new Semaphore(0);

    @BeforeEach
    void needFlags() {
        assumeTrue(Loom.available(), "without flags nobody is carried");
    }

    private static SpareCarriers start() {
        return new SpareCarriers("test", 0, new CpuAffinity(false));
    }

    private Runnable blocked(CountDownLatch release) {
        return () -> {
            carriers.add(Thread.currentThread());
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new AssertionError("nobody interrupts", e);
            }
            ended.release();
        };
    }

    private static void awaitIdle(Thread spare) {
        Await.until("a spare is idle", () -> spare.getState() == Thread.State.TIMED_WAITING);
    }

    @Test
    void whoIsIdleIsTakenBeforeAnotherIsStarted() throws Exception {
        SpareCarriers spares = start();
        for (int i = 0; i < 3; i++) {
            assertThat(spares.run(blocked(new CountDownLatch(0)))).isTrue();
            ended.acquire();
            awaitIdle(carriers.iterator().next());
        }

        assertThat(carriers).hasSize(1);
        assertThat(spares.count()).isEqualTo(1);
        spares.close();
    }

    @Test
    void thoseWhoBlockAtOnceHaveASpareEachUpToTheCap() throws Exception {
        SpareCarriers spares = start();
        CountDownLatch release = new CountDownLatch(1);
        for (int i = 0; i < SpareCarriers.CAP; i++) {
            assertThat(spares.hasRoom()).isTrue();
            assertThat(spares.run(blocked(release))).isTrue();
        }

        assertThat(spares.hasRoom()).isFalse();
        assertThat(spares.run(() -> {})).isFalse();
        release.countDown();
        ended.acquire(SpareCarriers.CAP);
        assertThat(carriers).hasSize(SpareCarriers.CAP);
        Await.until("there is an idle one", spares::hasRoom);
        spares.close();
    }

    @Test
    void aFailureOfTheJdkDoesNotEndASpare() throws Exception {
        SpareCarriers spares = start();
        assertThat(spares.run(() -> {
                    throw new OutOfMemoryError("thrown by the test");
                }))
                .isTrue();
        assertThat(spares.run(blocked(new CountDownLatch(0)))).isTrue();
        ended.acquire();
        spares.close();
        assertThat(spares.count()).isZero();
    }

    private static SpareCarriers start(int cap, long idleNanos) {
        return new SpareCarriers("test", 0, new CpuAffinity(false), cap, idleNanos, Thread::start);
    }

    @Test
    void atTheCapWhoIsIdleIsTaken() throws Exception {
        SpareCarriers spares = start(1, LONG_IDLE);
        CountDownLatch release = new CountDownLatch(1);
        assertThat(spares.run(blocked(new CountDownLatch(0)))).isTrue();
        ended.acquire();
        awaitIdle(carriers.iterator().next());

        assertThat(spares.hasRoom()).isTrue();
        assertThat(spares.run(blocked(release))).isTrue();

        assertThat(spares.hasRoom()).isFalse();
        assertThat(spares.run(() -> {})).isFalse();
        release.countDown();
        ended.acquire();
        assertThat(carriers).hasSize(1);
        spares.close();
    }

    @Test
    void whoIsIdleForLongEndsAndLeavesRoomForAnother() throws Exception {
        SpareCarriers spares = start(1, 1);
        for (int i = 1; i <= 3; i++) {
            assertThat(spares.run(blocked(new CountDownLatch(0)))).isTrue();
            ended.acquire();
            Await.until("the spare has ended", () -> spares.count() == 0);
        }

        assertThat(carriers).hasSize(3);
        spares.close();
    }

    /** Those that end are among others that are idle. */
    @Test
    void whoEndsIsTakenFromAmongThoseWhoAreIdleAndNobodyElse() throws Exception {
        SpareCarriers spares = start(3, SHORT_IDLE);
        CountDownLatch release = new CountDownLatch(1);
        for (int i = 0; i < 3; i++) {
            assertThat(spares.run(blocked(release))).isTrue();
        }
        release.countDown();
        ended.acquire(3);
        Await.until("all have ended", () -> spares.count() == 0);
        assertThat(spares.hasRoom()).isTrue();
        spares.close();
    }

    /** Spares end about when the next coroutine comes. */
    @Test
    void nobodyIsLostWhenASpareEndsMeanwhile() throws Exception {
        SpareCarriers spares = start(2, 20_000);
        for (int i = 0; i < 5_000; i++) {
            while (!spares.run(ended::release)) { // both are about to end, or to be idle
                Thread.onSpinWait();
            }
            ended.acquire();
            long pause = ThreadLocalRandom.current().nextLong(150_000); // a thread's sleep takes longer than it says
            for (long end = System.nanoTime() + pause; System.nanoTime() < end; ) {
                Thread.onSpinWait();
            }
        }
        spares.close();
        assertThat(spares.count()).isZero();
    }

    @Test
    void oneThatCannotBeStartedIsNotCounted() throws Exception {
        AtomicBoolean noThreads = new AtomicBoolean(true);
        SpareCarriers spares = new SpareCarriers("test", 0, new CpuAffinity(false), 1, LONG_IDLE, thread -> {
            if (noThreads.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            thread.start();
        });
        assertThat(spares.run(() -> {})).isFalse();
        assertThat(spares.count()).isZero();

        noThreads.set(false);
        assertThat(spares.hasRoom()).isTrue();
        assertThat(spares.run(blocked(new CountDownLatch(0)))).isTrue();
        ended.acquire();
        spares.close();
    }

    @Test
    void afterACloseNobodyIsTaken() {
        SpareCarriers spares = start();
        spares.close();
        assertThat(spares.run(() -> {})).isFalse();
    }
}
