package io.skein.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Limits within limits: each tells of its own, and none takes another's interrupt. */
@Mode.Each
class TimeoutNestingTest extends ModeTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration LONGER = Duration.ofMillis(60);
    /** So much longer that even on a busy machine the first interrupt is noticed before the second, or they would be one. */
    private static final Duration LATER = Duration.ofMillis(400);

    private static final Duration LONG = Duration.ofHours(1);

    TimeoutNestingTest(Mode mode) {
        super(mode);
    }

    private static String waitForEver() throws InterruptedException {
        new CountDownLatch(1).await();
        return "never";
    }

    @Test
    void theInnerOneThatPassesIsNamedAndTheOuterGoesOn() throws Exception {
        skein.blockOn(() -> {
            String value = Time.timeout(LONG, () -> {
                assertThat(catchThrowable(() -> Time.timeout(SHORT, TimeoutNestingTest::waitForEver)))
                        .isInstanceOf(TimeoutException.class)
                        .hasMessageContaining("20 ms");
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                return "went on";
            });
            assertThat(value).isEqualTo("went on");
            assertThat(Wheels.ownSize()).isZero();
        });
    }

    @Test
    void anInnerTimeoutThatNobodyCatchesComesThroughTheOuterAsItIs() throws Exception {
        skein.blockOn(() -> {
            assertThat(catchThrowable(
                            () -> Time.timeout(LONG, () -> Time.timeout(SHORT, TimeoutNestingTest::waitForEver))))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("20 ms");
        });
    }

    @Test
    void theOuterOneThatPassesIsNamedAndTheInnerSaysNothing() throws Exception {
        skein.blockOn(() -> {
            assertThat(catchThrowable(
                            () -> Time.timeout(SHORT, () -> Time.timeout(LONG, TimeoutNestingTest::waitForEver))))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("20 ms")
                    .hasCauseInstanceOf(InterruptedException.class);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void anOuterThatPassesWhileTheInnerCleansUpIsNotSwallowed() throws Exception {
        skein.blockOn(() -> {
            assertThat(catchThrowable(() -> Time.timeout(LATER, () -> {
                        try {
                            Time.timeout(SHORT, TimeoutNestingTest::waitTwice);
                        } catch (TimeoutException e) {
                            // as if there were time to try again
                        }
                        return waitForEver();
                    })))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("400 ms");
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    /** Swallows two interrupts: its own limit's, and that of the limit further out. */
    private static void waitTwice() throws InterruptedException {
        try {
            waitForEver();
        } catch (InterruptedException e) {
            waitForEver();
        }
    }

    @Test
    void whereBothHavePassedTheOuterIsNamed() throws Exception {
        skein.blockOn(() -> {
            assertThat(catchThrowable(
                            () -> Time.timeout(LATER, () -> Time.timeout(SHORT, TimeoutNestingTest::waitTwice))))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("400 ms")
                    .hasCauseInstanceOf(TimeoutException.class);
        });
    }

    @Test
    void limitsThatPassAtOnceLoseNoInterruptAndLeaveNone() throws Exception {
        skein.blockOn(() -> {
            for (int i = 0; i < 50; i++) {
                Deadline deadline = Deadline.after(Duration.ofMillis(2));
                assertThatExceptionOfType(TimeoutException.class)
                        .isThrownBy(() -> Time.timeout(deadline, () -> {
                            try {
                                Time.timeout(deadline, TimeoutNestingTest::waitForEver);
                            } catch (TimeoutException e) {
                                // the outer one passes too
                            }
                            waitForEver();
                        }));
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
            }
        });
    }

    @Test
    void limitsThatPassOneAfterTheOtherWhileNobodyNoticesLeaveNoInterrupt() throws Exception {
        skein.blockOn(() -> {
            Deadline both = Deadline.after(LONGER.multipliedBy(3));
            String value = Time.timeout(
                    LONGER,
                    () -> Time.timeout(SHORT, () -> {
                        while (!both.isOver()) {
                            Coroutine.yieldNow();
                        }
                        return "done all the same";
                    }));
            assertThat(value).isEqualTo("done all the same");
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void anInterruptFromBeforeBothIsKept() throws Exception {
        Coroutine<Boolean> interrupted = skein.spawn(() -> {
            Thread.currentThread().interrupt();
            Deadline both = Deadline.after(LONGER.multipliedBy(3));
            Time.timeout(
                    LONGER,
                    () -> Time.timeout(SHORT, () -> {
                        while (!both.isOver()) {
                            Coroutine.yieldNow();
                        }
                    }));
            return Thread.interrupted();
        });
        assertThat(interrupted.join()).isTrue();
    }

    @Test
    void aLimitInTheCleanUpOfAnotherIsOnItsOwn() throws Exception {
        skein.blockOn(() -> {
            assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> Time.timeout(SHORT, () -> {
                        try {
                            return waitForEver();
                        } finally {
                            assertThat(catchThrowable(() -> Time.timeout(SHORT, TimeoutNestingTest::waitForEver)))
                                    .isInstanceOf(TimeoutException.class);
                            assertThat(Thread.currentThread().isInterrupted()).isFalse();
                        }
                    }));
        });
    }

    @Test
    void aDeadlineHandedDownEndsTheLastOfSeveralCalls() throws Exception {
        skein.blockOn(() -> {
            Deadline deadline = Deadline.after(LONGER);
            Time.timeout(deadline, () -> Time.sleep(Duration.ofMillis(1)));
            Coroutine<?> child = skein.spawn(() -> Time.timeout(deadline, TimeoutNestingTest::waitForEver));

            assertThat(catchThrowable(child::join)).hasCauseInstanceOf(TimeoutException.class);
            assertThat(deadline.isOver()).isTrue();
        });
    }
}
