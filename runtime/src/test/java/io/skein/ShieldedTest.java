package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A shielded section finishes in spite of a cancel, which is delivered when it ends. */
@Mode.Each
class ShieldedTest extends ModeTest {
    private final Semaphore go = new Semaphore(0);

    ShieldedTest(Mode mode) {
        super(mode);
    }

    @Test
    void aCancelDoesNotDisturbAWaitInAShieldedSection() throws Exception {
        Coroutine<String> coroutine = skein.spawn(() -> Coroutine.shielded(() -> {
            go.acquire();
            return Thread.currentThread().isInterrupted() ? "disturbed" : "finished";
        }));
        Await.untilWaiting(coroutine);

        assertThat(coroutine.cancel(true)).isTrue();
        go.release();

        assertThat(coroutine.join()).isEqualTo("finished");
    }

    @Test
    void aCancelThatCameInTheSectionIsDeliveredAtItsEnd() throws Exception {
        Coroutine<Boolean> coroutine = skein.spawn(() -> {
            Coroutine.shielded(() -> go.acquire());
            return Thread.currentThread().isInterrupted();
        });
        Await.untilWaiting(coroutine);

        coroutine.cancel(true);
        go.release();

        assertThat(coroutine.join()).isTrue();
    }

    @Test
    void theFirstWaitAfterTheSectionIsInterruptedAndTheCoroutineEndsCancelled() {
        AtomicBoolean finished = new AtomicBoolean();
        Coroutine<?> coroutine = skein.spawn(() -> {
            Coroutine.shielded(() -> {
                go.acquire();
                finished.set(true);
            });
            new CountDownLatch(1).await();
        });
        Await.untilWaiting(coroutine);

        coroutine.cancel(true);
        go.release();

        assertThatExceptionOfType(CancellationException.class).isThrownBy(coroutine::join);
        assertThat(coroutine.state()).isEqualTo(Future.State.CANCELLED);
        assertThat(finished).isTrue();
    }

    @Test
    void withoutACancelTheStatusIsClearAfterTheSection() throws Exception {
        boolean interrupted = skein.blockOn(() -> {
            Coroutine.shielded(() -> Coroutine.yieldNow());
            return Thread.currentThread().isInterrupted();
        });

        assertThat(interrupted).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void aStatusThatIsSetBeforeTheSectionIsClearInItAndSetAfterIt(ThreadKind kind) throws Exception {
        boolean[] inside = {true};
        boolean after = kind.call(skein, () -> {
            Thread.currentThread().interrupt();
            Coroutine.shielded(() -> {
                inside[0] = Thread.currentThread().isInterrupted();
            });
            return Thread.interrupted();
        });

        assertThat(inside[0]).as("interrupt status in the section").isFalse();
        assertThat(after).as("interrupt status after it").isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aSectionGivesItsValueAndThrowsItsFailureAsItIs(ThreadKind kind) throws Exception {
        IOException failure = new IOException("thread snapped");

        kind.call(skein, () -> {
            assertThat(Coroutine.shielded(() -> "value")).isEqualTo("value");
            assertThat(catchThrowable(() -> Coroutine.shielded((Action) () -> {
                        throw failure;
                    })))
                    .isSameAs(failure);
            return "checked";
        });
    }

    @ParameterizedTest
    @EnumSource
    void aStatusIsSetAgainAfterASectionThatFailed(ThreadKind kind) throws Exception {
        boolean after = kind.call(skein, () -> {
            Thread.currentThread().interrupt();
            assertThat(catchThrowable(() -> Coroutine.shielded((Action) () -> {
                        throw new IOException("thread snapped");
                    })))
                    .isInstanceOf(IOException.class);
            return Thread.interrupted();
        });

        assertThat(after).isTrue();
    }

    @Test
    void onlyTheEndOfTheOutermostSectionDeliversTheCancel() throws Exception {
        boolean[] between = {true};
        Coroutine<Boolean> coroutine = skein.spawn(() -> {
            Coroutine.shielded(() -> {
                Coroutine.shielded(() -> {
                    Coroutine.shielded(() -> go.acquire());
                    go.acquire();
                });
                between[0] = Thread.currentThread().isInterrupted();
                go.acquire();
            });
            return Thread.currentThread().isInterrupted();
        });
        Await.untilWaiting(coroutine);

        coroutine.cancel(true);
        go.release(3);

        assertThat(coroutine.join()).isTrue();
        assertThat(between[0]).isFalse();
    }

    @Test
    void aSecondSectionIsShieldedAsWellAsTheFirst() throws Exception {
        Coroutine<Boolean> coroutine = skein.spawn(() -> {
            Coroutine.shielded(() -> go.acquire());
            Coroutine.shielded(() -> go.acquire());
            return Thread.currentThread().isInterrupted();
        });
        Await.untilWaiting(coroutine);

        coroutine.cancel(true);
        go.release(2);

        assertThat(coroutine.join()).isTrue();
    }

    @Test
    void aSecondCancelInTheSectionChangesNothing() throws Exception {
        Coroutine<Boolean> coroutine = skein.spawn(() -> {
            Coroutine.shielded(() -> go.acquire());
            return Thread.currentThread().isInterrupted();
        });
        Await.untilWaiting(coroutine);

        coroutine.cancel(true);
        coroutine.cancel(true);
        go.release();

        assertThat(coroutine.join()).isTrue();
    }

    @Test
    void whoPollsTheTokenSeesTheRequestInTheSection() throws Exception {
        Coroutine<Boolean> coroutine = skein.spawn(() -> Coroutine.shielded(() -> {
            go.acquire();
            return CancelToken.current().isCancelled();
        }));
        Await.untilWaiting(coroutine);

        coroutine.cancel(true);
        go.release();

        assertThat(coroutine.join()).isTrue();
    }

    @Test
    void cleanUpThatWaitsFinishesAfterACancel() {
        AtomicBoolean cleaned = new AtomicBoolean();
        Coroutine<?> coroutine = skein.spawn(() -> {
            try {
                new CountDownLatch(1).await();
            } finally {
                Coroutine.shielded(() -> {
                    go.acquire();
                    Coroutine.yieldNow();
                    cleaned.set(true);
                });
            }
        });
        Await.untilWaiting(coroutine);

        coroutine.cancel(true);
        Await.until("it cleans up", go::hasQueuedThreads);
        coroutine.cancel(true);
        go.release();

        assertThatExceptionOfType(CancellationException.class).isThrownBy(coroutine::join);
        assertThat(cleaned).isTrue();
    }

    @Test
    void aCoroutineCancelledBeforeItsFirstStepFinishesItsSection() throws Exception {
        boolean interrupted = skein.blockOn(() -> {
            Coroutine<Boolean> child = Skein.current().spawn(() -> {
                while (!Coroutine.current().cancelToken().isCancelled()) {
                    Thread.onSpinWait(); // another worker was faster
                }
                Coroutine.shielded(() -> Coroutine.yieldNow());
                Coroutine.shielded(() -> Skein.blocking(() -> "waited"));
                return Thread.currentThread().isInterrupted();
            });
            child.cancel(true);
            return child.join();
        });

        assertThat(interrupted).isTrue();
    }

    @Test
    void aShutdownOfTheRuntimeWaitsForTheSection() throws Exception {
        Coroutine<Boolean> coroutine = skein.spawn(() -> {
            Coroutine.shielded(() -> go.acquire());
            return Thread.currentThread().isInterrupted();
        });
        Await.untilWaiting(coroutine);

        skein.shutdownNow();
        go.release();

        assertThat(coroutine.join()).isTrue();
    }

    @Test
    void aScopeInASectionIsJoinedInSpiteOfACancel() throws Exception {
        Coroutine<String> coroutine = skein.spawn(() -> Coroutine.shielded(() -> {
            try (Scope<String, ?> scope = Scope.open()) {
                Coroutine<String> child = scope.fork(() -> {
                    go.acquire();
                    return "child";
                });
                scope.join();
                return child.join();
            }
        }));
        Await.untilWaiting(coroutine);

        coroutine.cancel(true);
        go.release();

        assertThat(coroutine.join()).isEqualTo("child");
    }
}
