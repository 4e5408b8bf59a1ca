package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Coroutine;
import io.skein.LeakCheck;
import io.skein.Metrics;
import io.skein.Mode;
import io.skein.Scheduling;
import io.skein.Skein;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** No coroutine that could run waits behind one that holds its worker, while another worker has nothing to do. */
@ExtendWith(LeakCheck.class)
@Timeout(30)
class StealingTest {
    @Test
    void whatABusyCoroutineHasJustWokenIsTakenByAnIdleWorker() throws Exception {
        try (Skein skein = start(2, 256)) {
            for (int round = 0; round < 100; round++) {
                AtomicBoolean seen = new AtomicBoolean();
                skein.blockOn(() -> {
                    Coroutine<?> woken = skein.spawn(() -> {
                        LockSupport.park();
                        seen.set(true);
                    });
                    awaitParked(woken);
                    LockSupport.unpark(woken.thread()); // Into the last-in slot of this worker.
                    while (!seen.get()) {
                        Thread.onSpinWait(); // Never gives way.
                    }
                });
            }
        }
    }

    /** While two keep waking each other, the idle worker learns to leave them alone; it must not forget them. */
    @Test
    void aCoroutineThatIsWokenBackAndForthIsTakenWhenItsWakerTurnsBusy() throws Exception {
        try (Skein skein = start(2, 256)) {
            AtomicInteger turn = new AtomicInteger();
            int turns = 200_000;
            int busyEvery = 5_001; // Odd: both of them turn busy.
            Coroutine<?>[] players = new Coroutine<?>[2];
            CountDownLatch ready = new CountDownLatch(1);
            for (int i = 0; i < 2; i++) {
                int mine = i;
                players[mine] = skein.spawn(() -> {
                    ready.await();
                    for (int next = mine; next < turns; next += 2) {
                        while (turn.get() != next) {
                            LockSupport.park();
                        }
                        turn.set(next + 1);
                        LockSupport.unpark(players[1 - mine].thread());
                        while (next % busyEvery == 0 && next + 1 < turns && turn.get() == next + 1) {
                            Thread.onSpinWait(); // Gives way only after the other has run.
                        }
                    }
                });
            }
            ready.countDown();
            for (Coroutine<?> player : players) {
                player.join();
            }
        }
    }

    @Test
    void whatABusyCoroutineSpawnedIsTakenByIdleWorkers() throws Exception {
        try (Skein skein = start(3, 4)) {
            for (int round = 0; round < 50; round++) {
                AtomicInteger ran = new AtomicInteger();
                skein.blockOn(() -> {
                    for (int i = 0; i < 50; i++) {
                        var _ = skein.spawn(ran::incrementAndGet);
                    }
                    while (ran.get() < 50) {
                        Thread.onSpinWait(); // Never gives way.
                    }
                });
            }
            assertThat(skein.metrics().workers().stream().mapToLong(Metrics.Worker::overflows))
                    .anyMatch(overflows -> overflows > 0);
        }
    }

    @Test
    void whatWasStolenIsCounted() throws Exception {
        try (Skein skein = start(2, 256)) {
            AtomicBoolean seen = new AtomicBoolean();
            skein.blockOn(() -> {
                var _ = skein.spawn(() -> seen.set(true));
                while (!seen.get()) {
                    Thread.onSpinWait();
                }
            });

            assertThat(skein.metrics().workers().stream()
                            .mapToLong(Metrics.Worker::steals)
                            .sum())
                    .isPositive();
        }
    }

    @Test
    void workThatOneCoroutineSpawnsReachesEveryWorker() throws Exception {
        try (Skein skein = start(3, 256)) {
            Set<Integer> carriers = ConcurrentHashMap.newKeySet();
            CountDownLatch together = new CountDownLatch(3);
            skein.blockOn(() -> {
                for (int i = 0; i < 3; i++) {
                    var _ = skein.spawn(() -> {
                        carriers.add(Carrier.number());
                        together.countDown();
                        while (together.getCount() > 0) {
                            Thread.onSpinWait(); // Only three workers at once get past this.
                        }
                    });
                }
                together.await();
            });

            assertThat(carriers).containsExactlyInAnyOrder(0, 1, 2);
        }
    }

    @Test
    void spawnsFromInsideStayOnTheSpawnersWorkerWhileNobodyIsIdle() throws Exception {
        try (Skein skein = start(1, 4)) {
            List<Integer> order = new ArrayList<>();
            skein.blockOn(() -> {
                List<Coroutine<?>> children = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    int number = i;
                    children.add(skein.spawn(() -> order.add(number)));
                }
                for (Coroutine<?> child : children) {
                    child.join();
                }
            });

            assertThat(order).hasSize(100).doesNotHaveDuplicates();
            assertThat(skein.metrics().workers().getFirst().overflows()).isPositive();
        }
    }

    private static Skein start(int workers, int slots) {
        return new Mode(Scheduling.STEALING, workers)
                .builder()
                .runQueueCapacity(slots)
                .start();
    }

    private static void awaitParked(Coroutine<?> coroutine) {
        while (coroutine.thread().getState() != Thread.State.WAITING) {
            Thread.onSpinWait(); // Somebody else has to run it: this worker is taken.
        }
    }
}
