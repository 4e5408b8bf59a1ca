package io.skein.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.skein.Action;
import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A limit on how long a body may take: what it does to the body, and what it leaves. */
@Mode.Each
class TimeoutTest extends ModeTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofHours(1);

    TimeoutTest(Mode mode) {
        super(mode);
    }

    private static String waitForEver() throws InterruptedException {
        new CountDownLatch(1).await();
        return "never";
    }

    /** A body that goes on until it is interrupted, and then returns with the status set. */
    private static String untilInterrupted() {
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.park();
        }
        return "done";
    }

    @Test
    void aBodyInTimeIsNotDisturbed() throws Exception {
        skein.blockOn(() -> {
            assertThat(Time.timeout(LONG, () -> "in time")).isEqualTo("in time");
            AtomicBoolean ran = new AtomicBoolean();
            Time.timeout(LONG, () -> ran.set(true));
            assertThat(ran).isTrue();
            assertThat(Wheels.ownSize()).isZero();
        });
    }

    @Test
    void aBodyThatIsLateIsInterruptedAndTheExceptionSaysWhatTheLimitWas() throws Exception {
        skein.blockOn(() -> {
            long start = System.nanoTime();
            Throwable thrown = catchThrowable(() -> Time.timeout(SHORT, TimeoutTest::waitForEver));

            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(SHORT.toNanos());
            assertThat(thrown)
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("20 ms")
                    .hasCauseInstanceOf(InterruptedException.class);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void theBodyHasFinishedWhenTheTimeoutIsTold() throws Exception {
        CountDownLatch cleanUp = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        AtomicBoolean cleaned = new AtomicBoolean();
        Coroutine<Boolean> caller = skein.spawn(() -> {
            assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> Time.timeout(SHORT, () -> {
                        try {
                            return waitForEver();
                        } finally {
                            interrupted.countDown();
                            cleanUp.await();
                            cleaned.set(true);
                        }
                    }));
            return cleaned.get();
        });
        interrupted.await();
        Await.untilWaiting(caller);
        assertThat(caller.isDone()).isFalse();

        cleanUp.countDown();

        assertThat(caller.join()).isTrue();
    }

    @Test
    void aValueInSpiteOfTheInterruptIsAValue() throws Exception {
        skein.blockOn(() -> {
            assertThat(Time.timeout(SHORT, TimeoutTest::untilInterrupted)).isEqualTo("done");
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void aFailureInTimeIsTheFailure() throws Exception {
        IOException failure = new IOException("snapped");
        skein.blockOn(() -> {
            assertThat(catchThrowable(() -> Time.timeout(LONG, (Action) () -> {
                        throw failure;
                    })))
                    .isSameAs(failure);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void nothingLeftMeansThatTheBodyDoesNotBegin() throws Exception {
        AtomicBoolean ran = new AtomicBoolean();
        for (Duration none : new Duration[] {Duration.ZERO, Duration.ofSeconds(-1)}) {
            assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> Time.timeout(none, () -> ran.set(true)));
            assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> Time.timeout(Deadline.after(none), () -> ran.set(true)));
        }
        assertThat(ran).isFalse();
    }

    @Test
    void aTimeoutThatFiresAsTheBodyEndsLeavesNoInterrupt() throws Exception {
        skein.blockOn(() -> {
            int fired = 0;
            for (int i = 0; i < 60; i++) {
                Deadline deadline = Deadline.after(Duration.ofMillis(2));
                try {
                    Time.timeout(deadline, () -> Time.sleepUntil(deadline));
                } catch (TimeoutException e) {
                    fired++;
                }
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
            }
            Coroutine.yieldNow();
            assertThat(Thread.currentThread().isInterrupted())
                    .as("after %s fired", fired)
                    .isFalse();
        });
    }

    // Others who interrupt.

    @Test
    void aCancelInABodyIsACancel() throws Exception {
        Coroutine<String> cancelled = skein.spawn(() -> Time.timeout(LONG, TimeoutTest::waitForEver));
        Await.untilWaiting(cancelled);

        cancelled.cancel(true);

        assertThatExceptionOfType(CancellationException.class).isThrownBy(cancelled::join);
    }

    @Test
    void aCancelWhileALateBodyCleansUpIsKept() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        Coroutine<Boolean> caller = skein.spawn(() -> {
            assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> Time.timeout(SHORT, () -> {
                        try {
                            return waitForEver();
                        } finally {
                            interrupted.countDown();
                            uninterruptibly(cancelled); // swallows the cancel's interrupt
                        }
                    }));
            return Thread.interrupted();
        });
        interrupted.await();
        caller.cancel(true);
        cancelled.countDown();

        assertThat(caller.join()).as("the cancel's interrupt").isTrue();
    }

    @Test
    void anInterruptThatWasThereBeforeIsKept() throws Exception {
        skein.blockOn(() -> {
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InterruptedException.class)
                    .isThrownBy(() -> Time.timeout(LONG, TimeoutTest::waitForEver));

            Thread.currentThread().interrupt();
            Time.timeout(SHORT, TimeoutTest::spinForLong);
            assertThat(Thread.interrupted()).isTrue();
        });
    }

    @Test
    void anInterruptByHandWhileALateBodyCleansUpIsKept() throws Exception {
        skein.blockOn(() -> {
            Callable<String> body = () -> {
                try {
                    return waitForEver();
                } finally {
                    Thread.currentThread().interrupt();
                }
            };
            assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> Time.timeout(SHORT, body));
            assertThat(Thread.interrupted()).isTrue();
        });
    }

    @Test
    void cancelsAndTimeoutsAtOnceLoseNoCancel() throws Exception {
        for (int i = 0; i < 100; i++) {
            Deadline deadline = Deadline.after(Duration.ofMillis(2));
            Coroutine<String> both = skein.spawn(() -> {
                try {
                    Time.timeout(deadline, TimeoutTest::waitForEver);
                } catch (TimeoutException e) {
                    // the cancel comes all the same
                }
                return waitForEver();
            });
            Coroutine<?> canceller = skein.spawn(() -> {
                Time.sleepUntil(deadline);
                both.cancel(true);
            });
            canceller.join();
            assertThatExceptionOfType(CancellationException.class).isThrownBy(both::join);
        }
    }

    @Test
    void anInterruptThatAShieldedSectionPutsOffIsNotLeftEither() throws Exception {
        skein.blockOn(() -> {
            String value = Time.timeout(SHORT, () -> {
                untilInterrupted();
                return Coroutine.shielded(() -> "shielded");
            });
            assertThat(value).isEqualTo("shielded");
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    @SuppressWarnings("NullAway") // on purpose
    void nullsAreRefused() {
        assertThatNullPointerException().isThrownBy(() -> Time.timeout((Duration) null, () -> "body"));
        assertThatNullPointerException().isThrownBy(() -> Time.timeout(LONG, (Callable<String>) null));
        assertThatNullPointerException().isThrownBy(() -> Time.timeout(LONG, (Action) null));
    }

    private static void spinForLong() {
        long start = System.nanoTime();
        while (System.nanoTime() - start < 2 * SHORT.toNanos()) {
            Coroutine.yieldNow();
        }
    }

    private static void uninterruptibly(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException e) {
                // go on
            }
        }
    }
}
