package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.LeakCheck;
import io.skein.Mode;
import io.skein.Scheduling;
import io.skein.Skein;
import io.skein.internal.time.Timer;
import io.skein.internal.time.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
@Timeout(60)
class WatchdogTest {
    private CapturedLog log;

    @BeforeEach
    void capture() throws Exception {
        log = new CapturedLog();
    }

    @AfterEach
    void release() throws Exception {
        log.close();
    }

    private static Skein start(int workers, Duration threshold) {
        return new Mode(Scheduling.STEALING, workers)
                .builder()
                .watchdog(threshold)
                .start();
    }

    @Test
    void aCoroutineThatHoldsItsWorkerIsReportedOnceWithNameAndStack() throws Exception {
        try (Skein skein = start(1, Duration.ofMillis(100))) {
            spinUntilReported(skein, "hog", Duration.ofMillis(300));
        }

        assertThat(log.linesWith("hog")).singleElement().satisfies(line -> {
            assertThat(line.level()).isEqualTo("WARNING");
            assertThat(line.message()).contains("skein-test-worker-0", "100 ms", "WatchdogTest.spin");
        });
    }

    @Test
    void itTellsComputingFromAClassInitialiserThatWaits() throws Exception {
        try (Skein skein = start(1, Duration.ofMillis(20))) {
            spinUntilReported(skein, "hog", Duration.ZERO);
            Coroutine<?> waiter = skein.spawn("initialiser", () -> Slow.touched);
            Await.until("a report", () -> !log.linesWith("initialiser").isEmpty());
            INITIALISED.countDown();
            waiter.join();
        }

        assertThat(log.linesWith("hog").getFirst().message()).contains("it computes");
        assertThat(log.linesWith("initialiser").getFirst().message())
                .contains("class initialiser")
                .doesNotContain("Skein.blocking");
    }

    private static final CountDownLatch INITIALISED = new CountDownLatch(1);

    private static final class Slow {
        static boolean touched;

        static {
            try {
                INITIALISED.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            touched = true;
        }
    }

    @Test
    void byDefaultTheThresholdIsATenthOfASecond() throws Exception {
        try (Skein skein = Skein.builder().workers(1).start()) {
            spinUntilReported(skein, "hog-by-default", Duration.ZERO);
        }

        assertThat(log.linesWith("hog-by-default"))
                .singleElement()
                .satisfies(line -> assertThat(line.message()).contains("100 ms"));
    }

    @Test
    void theReportComesFromAPlatformThreadThatIsNoWorker() throws Exception {
        try (Skein skein = start(1, Duration.ofMillis(20))) {
            spinUntilReported(skein, "hog-here", Duration.ZERO);
        }

        Thread reporter = log.linesWith("hog-here").getFirst().thread();
        assertThat(reporter.isVirtual()).isFalse();
        assertThat(reporter.getName()).startsWith("skein-test-").doesNotContain("worker");
    }

    @Test
    void theReportComesWhileTheCoroutineStillHoldsItsWorkerAndAfterTheRuntimeWasIdle() throws Exception {
        try (Skein skein = start(2, Duration.ofMillis(20))) {
            for (int round = 0; round < 5; round++) {
                FreeWorkers.await(skein);
                spinUntilReported(skein, "hog-of-round-" + round, Duration.ZERO);
            }
        }
    }

    @Test
    void everyHogIsReported() throws Exception {
        try (Skein skein = start(3, Duration.ofMillis(20))) {
            AtomicBoolean over = new AtomicBoolean();
            List<Coroutine<?>> hogs = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                hogs.add(skein.spawn("hog-" + i, () -> spinUntil(over)));
            }
            Await.until("three reports", () -> log.linesWith("hog-").size() == 3);
            over.set(true);
            for (Coroutine<?> hog : hogs) {
                hog.join();
            }
        }

        assertThat(log.linesWith("hog-")).hasSize(3);
    }

    /** The watchdog saw neither a run nor a sleep for many looks; it must not take that for an idle runtime. */
    @Test
    @SuppressWarnings("ThreadPriorityCheck") // yielding keeps the worker awake
    void aCoroutineIsReportedAfterItsWorkerWasHeldUpBetweenTwoRuns() throws Exception {
        try (Skein skein = start(1, Duration.ofMillis(20))) {
            AtomicBoolean over = new AtomicBoolean();
            Timer holdUp = new Timer() {
                @Override
                protected void fire() {
                    spin(Duration.ofMillis(300));
                }
            };
            Coroutine<?> hog = skein.spawn("hog-after-hold-up", () -> {
                Timers.arm(holdUp, System.nanoTime());
                while (!holdUp.hasFired()) {
                    Thread.yield();
                }
                spinUntil(over);
            });
            try {
                Await.until("a report", () -> !log.linesWith("hog-after").isEmpty());
            } finally {
                over.set(true);
            }
            hog.join();
        }
    }

    @Test
    void aThreadThatALibraryStartedIsReportedToo() throws Exception {
        try (Skein skein = start(1, Duration.ofMillis(20))) {
            AtomicBoolean over = new AtomicBoolean();
            skein.blockOn(() -> {
                Thread.ofVirtual().name("library-hog").start(() -> spinUntil(over));
            });
            Await.until("a report", () -> !log.linesWith("library-hog").isEmpty());
            over.set(true);
        }

        assertThat(log.linesWith("library-hog")).hasSize(1);
    }

    @Test
    void withAThresholdOfZeroNobodyIsReported() throws Exception {
        try (Skein skein = start(1, Duration.ZERO)) {
            skein.spawn("unwatched", () -> spin(Duration.ofMillis(300))).join();
        }

        assertThat(log.linesWith("unwatched")).isEmpty();
    }

    @Test
    void aCoroutineThatWaitsLongIsNotReported() throws Exception {
        try (Skein skein = start(1, Duration.ofMillis(100))) {
            CountDownLatch release = new CountDownLatch(1);
            Coroutine<?> waiter = skein.spawn("patient", () -> release.await());
            skein.blockOn(() -> Skein.blocking(() -> release.await(300, TimeUnit.MILLISECONDS)));
            release.countDown();
            waiter.join();
        }

        assertThat(log.linesWith("patient")).isEmpty();
    }

    @Test
    void aNegativeThresholdIsRefusedAndNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Skein.builder().watchdog(Duration.ofMillis(-1)))
                .withMessageContaining("-1 ms");
    }

    /** Holds a worker until that is reported, and so much longer. */
    private void spinUntilReported(Skein skein, String name, Duration longer) throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        Coroutine<?> hog = skein.spawn(name, () -> {
            spinUntil(over);
            spin(longer);
        });
        try {
            Await.until("a report", () -> !log.linesWith(name).isEmpty());
        } finally {
            over.set(true);
        }
        hog.join();
    }

    private static void spinUntil(AtomicBoolean over) {
        while (!over.get()) {
            Thread.onSpinWait();
        }
    }

    private static void spin(Duration length) {
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }
}
