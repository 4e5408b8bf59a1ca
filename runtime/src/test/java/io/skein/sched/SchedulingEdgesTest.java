package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.LeakCheck;
import io.skein.Metrics;
import io.skein.Mode;
import io.skein.Scheduling;
import io.skein.Skein;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What schedulers get wrong: full queues, busy workers, late arrivals, two who wait for the same end. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
@SuppressWarnings("ThreadPriorityCheck") // Yielding is what coroutines do.
class SchedulingEdgesTest {
    private static final Duration BOUND = Duration.ofSeconds(20);

    @Test
    void aLoopReturnsWhenAnotherThreadCloses() throws Exception {
        Skein skein = new Mode(Scheduling.STEALING, 1).builder().start();
        CountDownLatch release = new CountDownLatch(1);
        var _ = skein.spawn(() -> release.await());
        Thread looper = loop(skein);
        Thread closer = Thread.ofPlatform().start(skein::close);
        Await.untilWaiting(closer);

        release.countDown();

        assertThat(closer.join(BOUND)).isTrue();
        assertEnds(looper);
    }

    @Test
    void aLoopReturnsAfterAShutdown() throws Exception {
        Skein skein = new Mode(Scheduling.STEALING, 1).builder().start();
        var _ = skein.spawn(() -> new CountDownLatch(1).await());
        Thread looper = loop(skein);

        skein.shutdownNow();

        assertEnds(looper);
    }

    @Test
    void twoThreadsMayLoop() throws Exception {
        Skein skein = new Mode(Scheduling.STEALING, 1).builder().start();
        CountDownLatch release = new CountDownLatch(1);
        var _ = skein.spawn(() -> release.await());
        Thread first = loop(skein);
        Thread second = loop(skein);

        release.countDown();

        assertEnds(second);
        assertEnds(first);
    }

    @ParameterizedTest(name = "{0}, {1} that yield, {2} slots")
    @CsvSource({"PINNED, 9, 4", "PINNED, 300, 256", "STEALING, 4, 4", "STEALING, 256, 256"})
    void whatArrivesRunsThoughTheRunQueueStaysFull(Scheduling scheduling, int yielders, int slots) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        try (Skein skein =
                new Mode(scheduling, 1).builder().runQueueCapacity(slots).start()) {
            for (int i = 0; i < yielders; i++) {
                var _ = skein.spawn(() -> {
                    while (!over.get()) {
                        Thread.yield();
                    }
                });
            }
            if (yielders == slots) {
                Await.until("all of them yield", () -> skein.metrics().globalQueueLength() == 0);
            }
            try {
                skein.spawnOn(0, () -> {}).get(BOUND.toNanos(), TimeUnit.NANOSECONDS);
            } finally {
                over.set(true);
            }
        }
    }

    @Test
    void whatWasSentToABusyWorkerIsTakenByASleepingOne() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger busy = new AtomicInteger(-1);
        try (Skein skein = new Mode(Scheduling.STEALING, 2).builder().start()) {
            var _ = skein.spawnOn(0, () -> {
                busy.set(Carrier.number());
                while (!over.get()) {
                    Thread.onSpinWait();
                }
            });
            Await.until("one is busy", () -> busy.get() >= 0);
            Await.until("the other sleeps", () -> {
                Metrics.Worker other = skein.metrics().workers().get(1 - busy.get());
                return other.sleeps() > other.wakeUps();
            });
            try {
                skein.spawnOn(busy.get(), () -> {}).get(BOUND.toNanos(), TimeUnit.NANOSECONDS);
            } finally {
                over.set(true);
            }
        }
    }

    @Test
    void aThreadThatALibraryStartsDuringAShutdownIsInterrupted() throws Exception {
        Skein skein = new Mode(Scheduling.STEALING, 1).builder().start();
        Semaphore shutDown = new Semaphore(0);
        AtomicReference<Thread> late = new AtomicReference<>();
        Coroutine<?> starter = skein.spawn(() -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                shutDown.acquireUninterruptibly();
                late.set(Thread.startVirtualThread(() -> {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                }));
            }
        });
        Await.untilWaiting(starter);

        skein.shutdownNow();
        shutDown.release();
        boolean ended = skein.close(BOUND);

        late.get().interrupt();
        skein.close();
        assertThat(ended).isTrue();
    }

    @Test
    void threadsOfTheBlockingPoolAreNotBoundToAProcessor() throws Exception {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "bound or not is the same on one processor");
        try (Skein skein =
                new Mode(Scheduling.PINNED, 1).builder().pinToCpus(true).start()) {
            List<String> ofThePool = skein.blockOn(
                    () -> Skein.blocking(() -> FreeWorkers.status("skein-test-bloc", "Cpus_allowed_list")));

            assertThat(ofThePool)
                    .isNotEmpty()
                    .doesNotContainAnyElementsOf(FreeWorkers.status("skein-test-work", "Cpus_allowed_list"));
        }
    }

    @Test
    void aQueueIsNeverReportedLongerThanThereAreCoroutines() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        try (Skein skein =
                new Mode(Scheduling.PINNED, 1).builder().runQueueCapacity(4).start()) {
            for (int i = 0; i < 3; i++) {
                var _ = skein.spawn(() -> {
                    while (!over.get()) {
                        Thread.yield();
                    }
                });
            }
            try {
                for (int i = 0; i < 100_000; i++) {
                    assertThat(skein.metrics().workers().getFirst().queueLength())
                            .isLessThanOrEqualTo(4);
                }
            } finally {
                over.set(true);
            }
        }
    }

    @Test
    void aBoundOfHundredsOfYearsIsABound() throws Exception {
        try (Skein skein = new Mode(Scheduling.STEALING, 1).builder().start()) {
            assertThat(skein.close(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
        }
    }

    @Test
    void aWatchdogThatWaitsForHundredsOfYearsMayBeAskedFor() {
        Mode mode = new Mode(Scheduling.STEALING, 1);
        try (Skein skein =
                mode.builder().watchdog(Duration.ofSeconds(Long.MAX_VALUE)).start()) {
            assertThat(skein.workers()).isEqualTo(1);
        }
    }

    private static Thread loop(Skein skein) {
        Thread looper = Thread.ofPlatform().name("looper").start(() -> {
            try {
                skein.loop();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Await.untilWaiting(looper);
        return looper;
    }

    private static void assertEnds(Thread looper) throws InterruptedException {
        boolean ended = looper.join(BOUND);
        looper.interrupt();
        assertThat(ended).as("the loop returned").isTrue();
    }
}
