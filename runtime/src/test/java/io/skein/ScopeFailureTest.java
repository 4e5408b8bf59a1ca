package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The first failure cancels the rest, the join tells of it, and nobody else does. */
@Mode.Each
class ScopeFailureTest extends ModeTest {
    private final IOException failure = new IOException("thread snapped");

    ScopeFailureTest(Mode mode) {
        super(mode);
    }

    @Test
    void theFirstFailureCancelsTheRestAndTheJoinThrowsIt() throws Exception {
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                Coroutine<Object> sibling = scope.fork(() -> {
                    new CountDownLatch(1).await();
                    return "never";
                });
                var _ = scope.fork((Action) () -> {
                    throw failure;
                });

                assertThatExceptionOfType(CompletionException.class)
                        .isThrownBy(scope::join)
                        .withCause(failure);

                assertThat(sibling.state()).isEqualTo(Future.State.CANCELLED);
                assertThat(scope.isCancelled()).isTrue();
            }
        });
    }

    @Test
    void theJoinShowsWhereItWasCalledAndTheCauseWhereItFailed() throws Exception {
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                var _ = scope.fork(ScopeFailureTest::snap);

                Throwable thrown = catchThrowable(() -> joinHere(scope));

                assertThat(StackTraces.methodsOf(thrown)).contains("joinHere");
                assertThat(StackTraces.methodsOf(thrown.getCause())).contains("snap");
            }
        });
    }

    @Test
    void laterFailuresAreSuppressedInTheOneThatIsThrown() throws Exception {
        IOException second = new IOException("tore on the way out");
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                var _ = scope.fork((Action) () -> {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        throw second;
                    }
                });
                var _ = scope.fork((Action) () -> {
                    throw failure;
                });

                Throwable thrown = catchThrowable(scope::join);

                assertThat(thrown).isInstanceOf(CompletionException.class).hasCause(failure);
                assertThat(StackTraces.suppressedIn(thrown)).contains(second);
            }
        });
    }

    @Test
    void aJoinThatFailedFailsTheSameWayAgain() throws Exception {
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                var _ = scope.fork((Action) () -> {
                    throw failure;
                });

                assertThatExceptionOfType(CompletionException.class)
                        .isThrownBy(scope::join)
                        .withCause(failure);
                assertThatExceptionOfType(CompletionException.class)
                        .isThrownBy(scope::join)
                        .withCause(failure);
            }
        });
    }

    @Test
    void theJoinWaitsForTheCancelledToEnd() throws Exception {
        CountDownLatch cleanUp = new CountDownLatch(1);
        AtomicBoolean cleaned = new AtomicBoolean();
        CountDownLatch cancelled = new CountDownLatch(1);
        Coroutine<Boolean> owner = skein.spawn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                CountDownLatch running = new CountDownLatch(1);
                var _ = scope.fork((Action) () -> {
                    try {
                        running.countDown();
                        new CountDownLatch(1).await();
                    } finally {
                        cancelled.countDown();
                        Coroutine.shielded(() -> cleanUp.await());
                        cleaned.set(true);
                    }
                });
                running.await();
                var _ = scope.fork((Action) () -> {
                    throw failure;
                });
                assertThat(catchThrowable(scope::join)).hasCause(failure);
                return cleaned.get();
            }
        });
        cancelled.await();
        Await.untilWaiting(owner);
        assertThat(owner.isDone()).isFalse();

        cleanUp.countDown();

        assertThat(owner.join()).isTrue();
    }

    @Test
    void aFailureReachesAnOwnerThatAlreadyWaits() throws Exception {
        CountDownLatch snap = new CountDownLatch(1);
        Coroutine<Throwable> owner = skein.spawn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                var _ = scope.fork((Action) () -> {
                    snap.await();
                    throw failure;
                });
                var _ = scope.fork(() -> new CountDownLatch(1).await());
                return catchThrowable(scope::join);
            }
        });
        Await.untilWaiting(owner);

        snap.countDown();

        assertThat(owner.join()).hasCause(failure);
    }

    @Test
    void aFailureIsNotAnInterruptOfTheOwner() throws Exception {
        boolean interrupted = skein.blockOn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                var _ = scope.fork((Action) () -> {
                    throw failure;
                });
                assertThat(catchThrowable(scope::join)).hasCause(failure);
            }
            return Thread.currentThread().isInterrupted();
        });

        assertThat(interrupted).isFalse();
    }

    @Test
    void aForkAfterAFailureRunsWithItsInterruptStatusSet() throws Exception {
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                var _ = scope.fork((Action) () -> {
                    throw failure;
                });
                assertThat(catchThrowable(scope::join)).hasCause(failure);

                Coroutine<Object> late = scope.fork(() -> Thread.currentThread().isInterrupted());
                assertThat(catchThrowable(scope::join)).hasCause(failure);

                assertThat(late.join()).isEqualTo(true);
                assertThat(late.cancelToken().isCancelled()).isTrue();
            }
        });
    }

    @Test
    void aChildCancelledFromOutsideMakesTheJoinThrowACancellation() throws Exception {
        AtomicReference<Coroutine<Object>> child = new AtomicReference<>();
        Coroutine<Throwable> owner = skein.spawn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                child.set(scope.fork(() -> {
                    new CountDownLatch(1).await();
                    return "never";
                }));
                return catchThrowable(scope::join);
            }
        });
        Await.untilWaiting(owner);

        child.get().cancel(true);

        assertThat(owner.join()).isInstanceOf(CancellationException.class);
    }

    @Test
    void aScopeThatIsCancelledCancelsItsChildrenAndTheJoinTells() throws Exception {
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                assertThat(scope.isCancelled()).isFalse();
                Coroutine<Object> child = scope.fork(() -> {
                    new CountDownLatch(1).await();
                    return "never";
                });

                scope.cancel();
                scope.cancel();

                assertThat(scope.isCancelled()).isTrue();
                assertThatExceptionOfType(CancellationException.class).isThrownBy(scope::join);
                assertThat(child.isCancelled()).isTrue();
            }
        });
    }

    @Test
    void aScopeThatIsCancelledAfterItsChildrenSucceededHasSucceeded() throws Exception {
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                Coroutine<Object> early = scope.fork(() -> "early");
                early.join();

                scope.cancel();

                assertThatNoException().isThrownBy(scope::join);
            }
        });
    }

    @Test
    void anyThreadCancelsAScope() throws Exception {
        for (ThreadKind kind : ThreadKind.values()) {
            AtomicReference<Scope<Object, ?>> opened = new AtomicReference<>();
            Coroutine<Throwable> owner = skein.spawn(() -> {
                try (Scope<Object, ?> scope = Scope.open()) {
                    opened.set(scope);
                    var _ = scope.fork(() -> new CountDownLatch(1).await());
                    return catchThrowable(scope::join);
                }
            });
            Await.untilWaiting(owner);

            kind.call(skein, () -> {
                opened.get().cancel();
                return kind;
            });

            assertThat(owner.join()).isInstanceOf(CancellationException.class);
        }
    }

    private static void snap() throws IOException {
        throw new IOException("thread snapped");
    }

    private static void joinHere(Scope<?, ?> scope) throws InterruptedException {
        scope.join();
    }
}
