package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.skein.ThreadKind.Running;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The steps of an await: ready, suspend, wait, resume. */
@Mode.Each
class AwaiterTest extends ModeTest {
    AwaiterTest(Mode mode) {
        super(mode);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsReadyIsResumedAtOnceWithoutBeingSuspended(ThreadKind kind) throws Exception {
        ScriptedAwaiter awaiter = new ScriptedAwaiter() {
            @Override
            public boolean ready() {
                return true;
            }
        };

        assertThat(kind.call(skein, awaiter::await)).isEqualTo("resumed");
        assertThat(awaiter.calls).containsExactly("resume");
    }

    @ParameterizedTest
    @EnumSource
    void aSuspendThatSaysNoIsResumedAtOnce(ThreadKind kind) throws Exception {
        ScriptedAwaiter awaiter = new ScriptedAwaiter() {
            @Override
            boolean suspended(Resumer given) {
                return false;
            }
        };

        assertThat(kind.call(skein, awaiter::await)).isEqualTo("resumed");
        assertThat(awaiter.calls).containsExactly("ready", "suspend", "resume");
    }

    @ParameterizedTest
    @EnumSource
    void whoIsSuspendedIsResumedFromAnyKindOfThread(ThreadKind waiting) throws Exception {
        for (ThreadKind resuming : ThreadKind.values()) {
            ScriptedAwaiter awaiter = new ScriptedAwaiter();
            Running<String> running = waiting.start(skein, awaiter::await);
            awaiter.awaitSuspended(running);

            assertThat(resuming.call(skein, () -> awaiter.resumer().resume())).isTrue();

            assertThat(running.get()).isEqualTo("resumed");
            assertThat(awaiter.calls).containsExactly("ready", "suspend", "resume");
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyStepIsTakenOnTheWaitingThread(ThreadKind kind) throws Exception {
        ScriptedAwaiter awaiter = new ScriptedAwaiter();
        Running<String> running = kind.start(skein, awaiter::await);
        awaiter.awaitSuspended(running);

        awaiter.resumer().resume();
        running.get();

        assertThat(awaiter.callers).containsOnly(running.thread());
    }

    @ParameterizedTest
    @EnumSource
    void aResumeInsideSuspendIsNotLost(ThreadKind kind) throws Exception {
        AtomicBoolean first = new AtomicBoolean();
        ScriptedAwaiter awaiter = new ScriptedAwaiter() {
            @Override
            boolean suspended(Resumer given) {
                first.set(given.resume());
                return true;
            }
        };

        assertThat(kind.call(skein, awaiter::await)).isEqualTo("resumed");
        assertThat(first).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aResumeByAnotherThreadBeforeTheParkIsNotLost(ThreadKind kind) throws Exception {
        ScriptedAwaiter awaiter = new ScriptedAwaiter() {
            @Override
            boolean suspended(Resumer given) {
                Thread resuming = Thread.ofPlatform().start(given::resume);
                while (resuming.isAlive()) {
                    Thread.onSpinWait();
                }
                return true;
            }
        };

        assertThat(kind.call(skein, awaiter::await)).isEqualTo("resumed");
    }

    @Test
    void onlyTheFirstResumeCounts() throws Exception {
        ScriptedAwaiter awaiter = new ScriptedAwaiter();
        Running<String> running = ThreadKind.COROUTINE.start(skein, awaiter::await);
        awaiter.awaitSuspended(running);
        Resumer resumer = awaiter.resumer();

        assertThat(resumer.resume()).isTrue();
        assertThat(resumer.resume()).isFalse();
        running.get();
        assertThat(resumer.resume()).as("after the end").isFalse();
        assertThat(awaiter.calls).containsOnlyOnce("resume");
    }

    @Test
    void aLateSecondResumeDoesNotEndTheNextWaitOfTheSameThread() throws Exception {
        ScriptedAwaiter first = new ScriptedAwaiter();
        ScriptedAwaiter second = new ScriptedAwaiter();
        Running<String> running = ThreadKind.COROUTINE.start(skein, () -> {
            first.await();
            return second.await();
        });
        first.awaitSuspended(running);
        first.resumer().resume();
        second.awaitSuspended(running);

        assertThat(first.resumer().resume()).isFalse();
        assertThat(second.calls).doesNotContain("resume");

        assertThat(second.resumer().resume()).isTrue();
        assertThat(running.get()).isEqualTo("resumed");
    }

    @Test
    void anAwaiterMayBeAwaitedAgainAndItsOldResumerIsSpent() throws Exception {
        ScriptedAwaiter awaiter = new ScriptedAwaiter();
        Running<String> one = ThreadKind.COROUTINE.start(skein, awaiter::await);
        awaiter.awaitSuspended(one);
        Resumer old = awaiter.resumer();
        old.resume();
        one.get();

        Running<String> two = ThreadKind.COROUTINE.start(skein, awaiter::await);
        Await.until("suspended again", () -> awaiter.resumer() != old);
        two.awaitWaiting();

        assertThat(old.resume()).isFalse();
        assertThat(awaiter.resumer().resume()).isTrue();
        two.get();
    }

    @ParameterizedTest
    @EnumSource
    void anUnparkIsNoResume(ThreadKind kind) throws Exception {
        ScriptedAwaiter awaiter = new ScriptedAwaiter();
        Running<String> running = kind.start(skein, awaiter::await);
        awaiter.awaitSuspended(running);

        for (int i = 0; i < 100; i++) {
            LockSupport.unpark(running.thread());
            running.awaitWaiting();
        }
        assertThat(awaiter.calls).doesNotContain("resume", "cancel");

        awaiter.resumer().resume();
        assertThat(running.get()).isEqualTo("resumed");
    }

    @ParameterizedTest
    @EnumSource
    void aSuspendThatThrowsFailsTheAwaitWithThat(ThreadKind kind) throws Exception {
        for (Throwable failure : new Throwable[] {new IllegalStateException("no"), new AssertionError("never")}) {
            ScriptedAwaiter awaiter = new ScriptedAwaiter() {
                @Override
                boolean suspended(Resumer given) {
                    throw AwaiterTest.<RuntimeException>unchecked(failure);
                }
            };

            assertThat(kind.call(skein, () -> catchThrowable(awaiter::await))).isSameAs(failure);
            assertThat(awaiter.calls).containsExactly("ready", "suspend");
            assertThat(awaiter.resumer().resume()).as("a resume after that").isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatResumeThrowsComesOutOfTheAwait(ThreadKind kind) throws Exception {
        IllegalStateException failure = new IllegalStateException("nothing to give");
        ScriptedAwaiter awaiter = new ScriptedAwaiter() {
            @Override
            public String resume() {
                throw failure;
            }
        };
        Running<Throwable> running = kind.start(skein, () -> catchThrowable(awaiter::await));
        awaiter.awaitSuspended(running);

        awaiter.resumer().resume();

        assertThat(running.get()).isSameAs(failure);
    }

    @Test
    void whoIsSuspendedLeavesItsWorkerToOthers() throws Exception {
        List<ScriptedAwaiter> awaiters = new ArrayList<>();
        List<Running<String>> running = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ScriptedAwaiter awaiter = new ScriptedAwaiter();
            awaiters.add(awaiter);
            running.add(ThreadKind.COROUTINE.start(skein, awaiter::await));
        }
        for (int i = 0; i < 20; i++) {
            awaiters.get(i).awaitSuspended(running.get(i));
        }

        assertThat(skein.blockOn(() -> "meanwhile")).isEqualTo("meanwhile");

        for (int i = 0; i < 20; i++) {
            awaiters.get(i).resumer().resume();
            assertThat(running.get(i).get()).isEqualTo("resumed");
        }
    }

    @Test
    void aMillionReadyAwaitsDoNotDeepenTheStack() throws Exception {
        Awaiter<Integer> ready = new Awaiter<>() {
            @Override
            public boolean suspend(Resumer resumer) {
                return false;
            }

            @Override
            public Integer resume() {
                return 1;
            }
        };

        int sum = skein.blockOn(() -> {
            int total = 0;
            for (int i = 0; i < 1_000_000; i++) {
                total += ready.await();
            }
            return total;
        });

        assertThat(sum).isEqualTo(1_000_000);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // so that an Error passes as it is
    private static <E extends Throwable> E unchecked(Throwable failure) throws E {
        throw (E) failure;
    }
}
