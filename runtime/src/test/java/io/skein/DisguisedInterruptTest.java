package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.skein.Scope.Policy;
import io.skein.time.Time;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * What becomes of a cancel or a limit when a library makes an exception of its own of the interrupt, and keeps no
 * cause.
 */
@Mode.Each
class DisguisedInterruptTest extends ModeTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofHours(1);

    DisguisedInterruptTest(Mode mode) {
        super(mode);
    }

    /** As drivers of databases throw it. */
    private static final class LibraryException extends Exception {
        private static final long serialVersionUID = 1;

        LibraryException() {
            super("the connection was lost");
        }
    }

    private static String query() throws LibraryException {
        interruptedWait();
        throw new LibraryException();
    }

    private static void interruptedWait() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            // what comes next does not tell of it
        }
    }

    private <T> Coroutine<T> waiting(Callable<T> body) {
        Coroutine<T> coroutine = skein.spawn(body);
        Await.untilWaiting(coroutine);
        return coroutine;
    }

    @Test
    void aCancelledCoroutineIsCancelledWhateverItThrowsAndThatIsKept() {
        Coroutine<String> coroutine = waiting(DisguisedInterruptTest::query);

        coroutine.cancel(true);

        assertThatExceptionOfType(CancellationException.class)
                .isThrownBy(coroutine::join)
                .withCauseInstanceOf(LibraryException.class);
    }

    @Test
    void aCancelledCoroutineThatNobodyWaitsForIsNotReported() {
        Coroutine<String> coroutine = waiting(DisguisedInterruptTest::query);

        coroutine.cancel(true);
        skein.close();

        assertThat(unheardFailures).isEmpty();
    }

    @Test
    void whoeverIsInterruptedByAShutdownIsNotReported() {
        var _ = waiting(DisguisedInterruptTest::query);

        skein.shutdownNow();
        skein.close();

        assertThat(unheardFailures).isEmpty();
    }

    @Test
    void aCoroutineThatNobodyCancelledHasFailed() throws Exception {
        Coroutine<String> coroutine = waiting(DisguisedInterruptTest::query);

        coroutine.thread().interrupt();

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(coroutine::join)
                .withCauseInstanceOf(LibraryException.class);
        expectUnheardFailures();
    }

    @Test
    void anErrorIsAFailureInSpiteOfTheCancel() {
        expectUnheardFailures();
        AssertionError broken = new AssertionError("broken");
        Coroutine<?> coroutine = waiting(() -> {
            interruptedWait();
            throw broken;
        });

        coroutine.cancel(true);
        skein.close();

        assertThat(coroutine.state()).isEqualTo(Future.State.FAILED);
        assertThat(unheardFailures).containsExactly(broken);
    }

    @Test
    void anErrorThatTellsOfTheInterruptIsACancellation() {
        Coroutine<?> coroutine = waiting(() -> {
            try {
                new CountDownLatch(1).await();
                return "never";
            } catch (InterruptedException e) {
                throw new AssertionError("not expected", e);
            }
        });

        coroutine.cancel(true);

        assertThatExceptionOfType(CancellationException.class).isThrownBy(coroutine::join);
    }

    @Test
    void whatAShieldedSectionThrowsWhileTheInterruptIsHeldBackIsAFailure() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        Coroutine<?> coroutine = skein.spawn(() -> {
            try {
                Coroutine.shielded(() -> {
                    inside.countDown();
                    cancelled.await();
                    throw new LibraryException();
                });
            } catch (LibraryException e) {
                throw new IllegalStateException("not committed", e);
            }
        });
        inside.await();

        coroutine.cancel(true);
        cancelled.countDown();

        assertThat(catchThrowable(coroutine::join))
                .isInstanceOf(CompletionException.class)
                .hasRootCauseInstanceOf(LibraryException.class);
        expectUnheardFailures();
    }

    @Test
    void aCancelledChildMakesItsScopesJoinACancellationThatKeepsWhatItThrew() throws Exception {
        skein.blockOn(() -> {
            try (Scope<String, ?> scope = Scope.open(Policy.allSucceed(), options -> options)) {
                Coroutine<String> child = scope.fork(DisguisedInterruptTest::query);
                Await.untilWaiting(child);
                child.cancel(true);

                assertThatExceptionOfType(CancellationException.class)
                        .isThrownBy(scope::join)
                        .withCauseInstanceOf(LibraryException.class);
            }
        });
    }

    @Test
    void whoInterruptsBlockOnLearnsWhatTheBodyMadeOfIt() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        Thread caller = Thread.currentThread();
        Thread interrupter = Thread.ofPlatform().start(() -> {
            try {
                inside.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            caller.interrupt();
        });

        Throwable thrown = catchThrowable(() -> skein.blockOn(() -> {
            inside.countDown();
            return query();
        }));

        interrupter.join();
        assertThat(thrown).isInstanceOf(InterruptedException.class);
        assertThat(thrown.getSuppressed()).hasAtLeastOneElementOfType(LibraryException.class);
    }

    @Test
    void aBodyThatIsLateTimesOutWhateverItThrowsAndThatIsTheCause() throws Exception {
        skein.blockOn(() -> {
            assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> Time.timeout(SHORT, DisguisedInterruptTest::query))
                    .withMessageContaining("20 ms")
                    .withCauseInstanceOf(LibraryException.class);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void anErrorOfABodyThatIsLateIsTheError() throws Exception {
        AssertionError broken = new AssertionError("broken");
        skein.blockOn(() -> {
            assertThat(catchThrowable(() -> Time.timeout(SHORT, (Action) () -> {
                        interruptedWait();
                        throw broken;
                    })))
                    .isSameAs(broken);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void anInnerLimitThatHasNotPassedSaysNothingOfTheOuter() throws Exception {
        skein.blockOn(() -> {
            assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> Time.timeout(SHORT, () -> Time.timeout(LONG, DisguisedInterruptTest::query)))
                    .withMessageContaining("20 ms")
                    .withCauseInstanceOf(LibraryException.class);
        });
    }

    @Test
    void aCoroutineThatIsCancelledInALimitIsCancelled() {
        Coroutine<String> coroutine = waiting(() -> Time.timeout(LONG, DisguisedInterruptTest::query));

        coroutine.cancel(true);

        assertThatExceptionOfType(CancellationException.class)
                .isThrownBy(coroutine::join)
                .withCauseInstanceOf(LibraryException.class);
    }
}
