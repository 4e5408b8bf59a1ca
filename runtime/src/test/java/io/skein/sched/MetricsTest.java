package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.LeakCheck;
import io.skein.Metrics;
import io.skein.Mode;
import io.skein.Scheduling;
import io.skein.Skein;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(LeakCheck.class)
@Timeout(60)
@SuppressWarnings("ThreadPriorityCheck") // Yielding is what coroutines do.
class MetricsTest {
    @ParameterizedTest
    @EnumSource
    void aFreshRuntimeHasDoneNothing(Scheduling scheduling) {
        try (Skein skein = new Mode(scheduling, 3).builder().start()) {
            Metrics metrics = skein.metrics();

            assertThat(metrics.liveCoroutines()).isZero();
            assertThat(metrics.globalQueueLength()).isZero();
            assertThat(metrics.workers()).hasSize(3).allSatisfy(worker -> {
                assertThat(worker.runs()).isZero();
                assertThat(worker.steals()).isZero();
                assertThat(worker.overflows()).isZero();
                assertThat(worker.queueLength()).isZero();
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyRunIsCounted(Scheduling scheduling) throws Exception {
        Skein skein = new Mode(scheduling, 3).builder().start();
        List<Coroutine<?>> coroutines = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            coroutines.add(skein.spawn(() -> {
                for (int turn = 0; turn < 99; turn++) {
                    Thread.yield();
                }
            }));
        }
        for (Coroutine<?> coroutine : coroutines) {
            coroutine.join();
        }
        skein.close();

        assertThat(skein.metrics().workers().stream()
                        .mapToLong(Metrics.Worker::runs)
                        .sum())
                .isEqualTo(1000);
    }

    @ParameterizedTest
    @EnumSource
    void coroutinesAreAliveFromSpawnToEnd(Scheduling scheduling) throws Exception {
        try (Skein skein = new Mode(scheduling, 2).builder().start()) {
            CountDownLatch release = new CountDownLatch(1);
            for (int i = 0; i < 7; i++) {
                var _ = skein.spawn(() -> release.await());
            }
            assertThat(skein.metrics().liveCoroutines()).isEqualTo(7);

            release.countDown();

            Await.until("all have left", () -> skein.metrics().liveCoroutines() == 0);
        }
    }

    @Test
    void whatWaitsForAnyWorkerIsInTheGlobalQueue() throws Exception {
        Skein skein = new Mode(Scheduling.STEALING, 1).builder().start();
        AtomicBoolean over = hold(skein);
        for (int i = 0; i < 5; i++) {
            var _ = skein.spawn(() -> {});
        }

        assertThat(skein.metrics().globalQueueLength()).isEqualTo(5);

        over.set(true);
        skein.close();
        assertThat(skein.metrics().globalQueueLength()).isZero();
    }

    @Test
    void whatWaitsForOneWorkerIsInItsQueue() throws Exception {
        Skein skein = new Mode(Scheduling.PINNED, 1).builder().start();
        AtomicBoolean over = hold(skein);
        for (int i = 0; i < 5; i++) {
            var _ = skein.spawn(() -> {});
        }

        assertThat(skein.metrics().workers().getFirst().queueLength()).isEqualTo(5);
        assertThat(skein.metrics().globalQueueLength()).isZero();

        over.set(true);
        skein.close();
        assertThat(skein.metrics().workers().getFirst().queueLength()).isZero();
    }

    @Test
    void aQueueThatSpillsIsCounted() throws Exception {
        try (Skein skein =
                new Mode(Scheduling.STEALING, 1).builder().runQueueCapacity(4).start()) {
            skein.blockOn(() -> {
                for (int i = 0; i < 5; i++) {
                    var _ = skein.spawn(() -> {}); // The last into the slot, the others into the queue.
                }
                assertThat(skein.metrics().workers().getFirst().overflows()).isZero();
                assertThat(skein.metrics().workers().getFirst().queueLength()).isEqualTo(5);

                var _ = skein.spawn(() -> {});

                assertThat(skein.metrics().workers().getFirst().overflows()).isEqualTo(1);
                assertThat(skein.metrics().workers().getFirst().queueLength()).isEqualTo(3);
                assertThat(skein.metrics().globalQueueLength()).isEqualTo(3);
            });
        }
    }

    @Test
    void sleepsAndWakeUpsAreCounted() throws Exception {
        try (Skein skein = new Mode(Scheduling.STEALING, 1).builder().start()) {
            for (int round = 1; round <= 20; round++) {
                FreeWorkers.await(skein);
                skein.blockOn(() -> {});
            }
            FreeWorkers.await(skein);

            Metrics.Worker worker = skein.metrics().workers().getFirst();
            assertThat(worker.wakeUps()).isBetween(20L, 40L);
            assertThat(worker.sleeps()).isGreaterThan(worker.wakeUps());
        }
    }

    /** Spawns a coroutine that holds the only worker until the flag is set. */
    private static AtomicBoolean hold(Skein skein) throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        CountDownLatch held = new CountDownLatch(1);
        var _ = skein.spawn(() -> {
            held.countDown();
            while (!over.get()) {
                Thread.onSpinWait();
            }
        });
        held.await();
        return over;
    }
}
