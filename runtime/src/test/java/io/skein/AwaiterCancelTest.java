package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.skein.ThreadKind.Running;
import java.util.Collections;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An interrupt of who is suspended asks the awaiter, and waits for its answer. */
@Mode.Each
class AwaiterCancelTest extends ModeTest {
    /** An awaiter whose answer to a cancel is that an end will come. */
    private static class Obliged extends ScriptedAwaiter {
        @Override
        boolean withdrawn() {
            return false;
        }
    }

    /** What an await came to. */
    private record Ending(String value, boolean interrupted) {
        @SuppressWarnings("InterruptedInCatchBlock") // Whether it is still set is the question.
        static Ending of(Awaiter<String> awaiter) {
            try {
                return new Ending(awaiter.await(), Thread.interrupted());
            } catch (InterruptedException e) {
                return new Ending("InterruptedException", Thread.interrupted());
            } catch (IllegalStateException e) {
                return new Ending(String.valueOf(e.getMessage()), Thread.interrupted());
            }
        }
    }

    AwaiterCancelTest(Mode mode) {
        super(mode);
    }

    private Running<Ending> suspend(ThreadKind kind, ScriptedAwaiter awaiter) {
        Running<Ending> running = kind.start(skein, () -> Ending.of(awaiter));
        awaiter.awaitSuspended(running);
        return running;
    }

    @ParameterizedTest
    @EnumSource
    void whoIsInterruptedBeforeItSuspendsIsNotSuspended(ThreadKind kind) throws Exception {
        ScriptedAwaiter awaiter = new ScriptedAwaiter();

        Ending ending = kind.call(skein, () -> {
            Thread.currentThread().interrupt();
            return Ending.of(awaiter);
        });

        assertThat(ending).isEqualTo(new Ending("InterruptedException", false));
        assertThat(awaiter.calls).containsExactly("ready");
    }

    @ParameterizedTest
    @EnumSource
    void whatIsReadyIsGivenToAnInterruptedThreadToo(ThreadKind kind) throws Exception {
        ScriptedAwaiter awaiter = new ScriptedAwaiter() {
            @Override
            public boolean ready() {
                return true;
            }
        };

        Ending ending = kind.call(skein, () -> {
            Thread.currentThread().interrupt();
            return Ending.of(awaiter);
        });

        assertThat(ending).isEqualTo(new Ending("resumed", true));
        assertThat(awaiter.calls).containsExactly("resume");
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptCallsTheHookOnceOnTheWaitingThreadAndEndsTheWait(ThreadKind kind) throws Exception {
        ScriptedAwaiter awaiter = new ScriptedAwaiter();
        Running<Ending> running = suspend(kind, awaiter);

        running.thread().interrupt();

        assertThat(running.get()).isEqualTo(new Ending("InterruptedException", false));
        assertThat(awaiter.calls).containsExactly("ready", "suspend", "cancel");
        assertThat(awaiter.callers).containsOnly(running.thread());
    }

    @ParameterizedTest
    @EnumSource
    void afterTheAwaiterWithdrewEveryResumeComesTooLate(ThreadKind kind) throws Exception {
        ScriptedAwaiter awaiter = new ScriptedAwaiter();
        Running<Ending> running = suspend(kind, awaiter);
        running.thread().interrupt();
        running.get();

        assertThat(awaiter.resumer().resume()).isFalse();
        assertThat(awaiter.resumer().resume()).isFalse();
        assertThat(awaiter.calls).doesNotContain("resume");
    }

    @ParameterizedTest
    @EnumSource
    void anAwaiterThatOwesAnAnswerIsWaitedForAndTheStatusIsSetAgain(ThreadKind kind) throws Exception {
        ScriptedAwaiter awaiter = new Obliged();
        Running<Ending> running = suspend(kind, awaiter);
        running.thread().interrupt();
        Await.until("the hook was called", () -> awaiter.calls.contains("cancel"));
        running.awaitWaiting();
        assertThat(running.outcome().isDone()).isFalse();

        assertThat(awaiter.resumer().resume()).isTrue();

        assertThat(running.get()).isEqualTo(new Ending("resumed", true));
        assertThat(awaiter.calls).containsExactly("ready", "suspend", "cancel", "resume");
    }

    @ParameterizedTest
    @EnumSource
    void whileAnAnswerIsOwedFurtherInterruptsChangeNothing(ThreadKind kind) throws Exception {
        ScriptedAwaiter awaiter = new Obliged();
        Running<Ending> running = suspend(kind, awaiter);
        running.thread().interrupt();
        Await.until("the hook was called", () -> awaiter.calls.contains("cancel"));

        for (int i = 0; i < 50; i++) {
            running.thread().interrupt();
            running.awaitWaiting();
        }
        awaiter.resumer().resume();

        assertThat(running.get()).isEqualTo(new Ending("resumed", true));
        assertThat(Collections.frequency(awaiter.calls, "cancel")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerMayBeAnInterruptedException(ThreadKind kind) throws Exception {
        ScriptedAwaiter awaiter = new Obliged() {
            @Override
            public String resume() throws InterruptedException {
                throw new InterruptedException("withdrawn after all");
            }
        };
        Running<Ending> running = suspend(kind, awaiter);
        running.thread().interrupt();
        Await.until("the hook was called", () -> awaiter.calls.contains("cancel"));

        awaiter.resumer().resume();

        assertThat(running.get()).isEqualTo(new Ending("InterruptedException", false));
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerMayBeAFailure(ThreadKind kind) throws Exception {
        ScriptedAwaiter awaiter = new Obliged() {
            @Override
            public String resume() {
                throw new IllegalStateException("broken meanwhile");
            }
        };
        Running<Ending> running = suspend(kind, awaiter);
        running.thread().interrupt();
        Await.until("the hook was called", () -> awaiter.calls.contains("cancel"));

        awaiter.resumer().resume();

        assertThat(running.get().value()).isEqualTo("broken meanwhile");
    }

    @ParameterizedTest
    @EnumSource
    void aHookThatThrowsFailsTheAwait(ThreadKind kind) throws Exception {
        IllegalStateException failure = new IllegalStateException("cannot withdraw");
        ScriptedAwaiter awaiter = new ScriptedAwaiter() {
            @Override
            boolean withdrawn() {
                throw failure;
            }
        };
        Running<Throwable> running = kind.start(skein, () -> catchThrowable(awaiter::await));
        awaiter.awaitSuspended(running);

        running.thread().interrupt();

        assertThat(running.get()).isSameAs(failure);
        assertThat(awaiter.calls).doesNotContain("resume");
    }

    @ParameterizedTest
    @EnumSource
    void aResumeInsideTheHookWinsOverTheInterrupt(ThreadKind kind) throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        ScriptedAwaiter awaiter = new ScriptedAwaiter() {
            @Override
            boolean withdrawn() {
                ended.set(resumer().resume());
                return true;
            }
        };
        Running<Ending> running = suspend(kind, awaiter);

        running.thread().interrupt();

        assertThat(running.get()).isEqualTo(new Ending("resumed", true));
        assertThat(ended).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aResumeThatCameBeforeTheInterruptIsDeliveredAndTheStatusStaysSet(ThreadKind kind) throws Exception {
        for (int round = 0; round < 50; round++) {
            ScriptedAwaiter awaiter = new ScriptedAwaiter();
            AtomicBoolean looked = new AtomicBoolean();
            Running<Ending> running = kind.start(skein, () -> {
                String value = awaiter.await();
                while (!looked.get()) {
                    Coroutine.yieldNow();
                }
                return new Ending(value, Thread.interrupted());
            });
            awaiter.awaitSuspended(running);

            assertThat(awaiter.resumer().resume()).isTrue();
            running.thread().interrupt();
            looked.set(true);

            assertThat(running.get()).isEqualTo(new Ending("resumed", true));
            assertThat(awaiter.calls).doesNotContain("cancel");
        }
    }

    @Test
    void cancellingASuspendedCoroutineEndsItAsCancelled() {
        ScriptedAwaiter awaiter = new ScriptedAwaiter();
        Coroutine<String> coroutine = skein.spawn(awaiter::await);
        awaiter.awaitSuspended(new Running<>(coroutine.thread(), coroutine));

        coroutine.cancel(true);

        assertThatExceptionOfType(CancellationException.class).isThrownBy(coroutine::join);
        assertThat(awaiter.calls).containsExactly("ready", "suspend", "cancel");
    }

    @Test
    void withoutAHookOfItsOwnAnAwaiterWithdraws() throws Exception {
        Awaiter<String> plain = new Awaiter<>() {
            @Override
            public boolean suspend(Resumer resumer) {
                return true;
            }

            @Override
            public String resume() {
                return "never";
            }
        };
        Running<Ending> running = ThreadKind.COROUTINE.start(skein, () -> Ending.of(plain));
        running.awaitWaiting();

        running.thread().interrupt();

        assertThat(running.get()).isEqualTo(new Ending("InterruptedException", false));
    }
}
