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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
@Timeout(60)
class SpareCarriersTest {
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

    @Test
    void afterACloseNobodyIsTaken() {
        SpareCarriers spares = start();
        spares.close();
        assertThat(spares.run(() -> {})).isFalse();
    }
}
