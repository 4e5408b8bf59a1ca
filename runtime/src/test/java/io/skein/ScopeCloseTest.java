package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Whatever the body does, no child outlives its scope. */
@Mode.Each
class ScopeCloseTest extends ModeTest {
    private final Semaphore cleanUp = new Semaphore(0);
    private final AtomicBoolean ended = new AtomicBoolean();
    private final CountDownLatch running = new CountDownLatch(1);

    ScopeCloseTest(Mode mode) {
        super(mode);
    }

    /** A child that runs until it is cancelled, and then takes its time to clean up. */
    private Object lingering() throws Exception {
        try {
            running.countDown();
            new CountDownLatch(1).await();
            return "never";
        } finally {
            Coroutine.shielded(() -> cleanUp.acquire());
            ended.set(true);
        }
    }

    @Test
    void closingWithoutAJoinCancelsTheChildrenAndWaitsForThem() throws Exception {
        Coroutine<Boolean> owner = skein.spawn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                var _ = scope.fork(this::lingering);
                running.await();
            }
            return ended.get();
        });
        Await.until("the child cleans up", cleanUp::hasQueuedThreads);
        Await.untilWaiting(owner);
        assertThat(owner.isDone()).isFalse();

        cleanUp.release();

        assertThat(owner.join()).isTrue();
    }

    @Test
    void aBodyThatThrowsStillWaitsForTheChildrenAndKeepsItsFailure() throws Exception {
        IOException failure = new IOException("thread snapped");
        Coroutine<Boolean> owner = skein.spawn(() -> {
            Throwable thrown = catchThrowable(() -> {
                try (Scope<Object, ?> scope = Scope.open()) {
                    var _ = scope.fork(this::lingering);
                    running.await();
                    throw failure;
                }
            });
            assertThat(thrown).isSameAs(failure);
            return ended.get();
        });
        Await.until("the child cleans up", cleanUp::hasQueuedThreads);

        cleanUp.release();

        assertThat(owner.join()).isTrue();
    }

    @Test
    void closingIsNotInterruptedAndKeepsTheStatus() throws Exception {
        Coroutine<Boolean> owner = skein.spawn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                var _ = scope.fork(this::lingering);
                running.await();
            }
            return ended.get() && Thread.currentThread().isInterrupted();
        });
        Await.until("the child cleans up", cleanUp::hasQueuedThreads);
        Await.untilWaiting(owner);

        for (int i = 0; i < 20; i++) {
            owner.thread().interrupt();
            Await.untilWaiting(owner);
        }
        assertThat(owner.isDone()).isFalse();
        cleanUp.release();

        assertThat(owner.join()).isTrue();
    }

    @Test
    void anInterruptedJoinThrowsAndTheCloseCancelsAndWaits() throws Exception {
        Coroutine<Boolean> owner = skein.spawn(() -> {
            Throwable thrown = catchThrowable(() -> {
                try (Scope<Object, ?> scope = Scope.open()) {
                    var _ = scope.fork(this::lingering);
                    running.await();
                    scope.join();
                }
            });
            assertThat(thrown).isInstanceOf(InterruptedException.class);
            return ended.get();
        });
        running.await();
        Await.untilWaiting(owner);

        owner.thread().interrupt();
        Await.until("the child cleans up", cleanUp::hasQueuedThreads);
        cleanUp.release();

        assertThat(owner.join()).isTrue();
    }

    @Test
    void cancellingTheOwnerReachesItsChildrenAndGrandchildren() {
        AtomicReference<Coroutine<?>> grandchild = new AtomicReference<>();
        Coroutine<?> owner = skein.spawn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                var _ = scope.fork(() -> {
                    try (Scope<Object, ?> inner = Scope.open()) {
                        grandchild.set(inner.fork(() -> {
                            new CountDownLatch(1).await();
                            return "never";
                        }));
                        inner.join();
                    }
                });
                scope.join();
            }
        });
        Await.until("the grandchild lives", () -> grandchild.get() != null);
        Await.untilWaiting(grandchild.get());

        owner.cancel(true);

        assertThatExceptionOfType(CancellationException.class).isThrownBy(owner::join);
        assertThat(grandchild.get().isDone()).isTrue();
        assertThat(grandchild.get().isCancelled()).isTrue();
    }

    @Test
    void aForkAfterTheCloseIsRefused() throws Exception {
        skein.blockOn(() -> {
            AtomicBoolean ran = new AtomicBoolean();
            Scope<Object, ?> scope = Scope.open(Scope.Policy.allSucceed(), options -> options.withName("loom"));
            scope.close();

            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> scope.fork(() -> ran.getAndSet(true)))
                    .withMessageContaining("loom")
                    .withMessageContaining("is closed");
            assertThat(ran).isFalse();
        });
    }

    @Test
    void aForkWhileTheScopeClosesIsRefused() throws Exception {
        AtomicReference<Throwable> refusal = new AtomicReference<>();
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                var _ = scope.fork((Action) () -> {
                    try {
                        running.countDown();
                        new CountDownLatch(1).await();
                    } finally {
                        // It was the close that cancelled, so the close has begun.
                        refusal.set(catchThrowable(() -> scope.fork(() -> "too late")));
                    }
                });
                running.await();
            }
        });

        assertThat(refusal.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("is closed");
    }

    @Test
    void closingTwiceIsHarmlessAndAClosedScopeHasNothingToJoin() throws Exception {
        skein.blockOn(() -> {
            Scope<Object, ?> scope = Scope.open();
            var _ = scope.fork(() -> "quick");
            scope.join();

            scope.close();
            scope.close();
        });
    }

    @Test
    void closingAfterAJoinCancelsWhatWasForkedSince() throws Exception {
        Coroutine<Object> late = skein.blockOn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                scope.join();
                return scope.fork(() -> {
                    new CountDownLatch(1).await();
                    return "never";
                });
            }
        });

        assertThat(late.isDone()).isTrue();
        assertThat(late.isCancelled()).isTrue();
    }

    @Test
    void closingAnOuterScopeFirstClosesTheInnerOneAndSaysSo() throws Exception {
        skein.blockOn(() -> {
            Scope<Object, ?> outer = Scope.open();
            Scope<Object, ?> inner = Scope.open();
            Coroutine<Object> ofOuter = outer.fork(() -> {
                new CountDownLatch(1).await();
                return "never";
            });
            Coroutine<Object> ofInner = inner.fork(() -> {
                new CountDownLatch(1).await();
                return "never";
            });

            Throwable thrown = catchThrowable(outer::close);

            assertThat(thrown).isInstanceOf(IllegalStateException.class);
            assertThat(ofInner.isCancelled()).isTrue();
            assertThat(ofOuter.isCancelled()).isTrue();
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> inner.fork(() -> "too late"));
            inner.close();
        });
    }

    @Test
    void aCoroutineThatForgetsToCloseItsScopeDoesNotEndBeforeItsChildren() throws Exception {
        AtomicReference<Coroutine<Object>> child = new AtomicReference<>();
        Coroutine<?> forgetful = skein.spawn(() -> {
            Scope<Object, ?> scope = Scope.open();
            child.set(scope.fork(() -> {
                running.countDown();
                new CountDownLatch(1).await();
                return "never";
            }));
            running.await();
        });

        Await.until("the forgetful one has ended", forgetful::isDone);

        assertThat(child.get().isDone()).isTrue();
    }

    @Test
    void aFailureThatNoJoinToldOfGoesToTheFailureHandler() throws Exception {
        expectUnheardFailures();
        IOException failure = new IOException("thread snapped");
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                Coroutine<Object> child = scope.fork(() -> {
                    throw failure;
                });
                while (!child.isDone()) {
                    Coroutine.yieldNow();
                }
            }
        });
        skein.close();

        assertThat(unheardFailures).containsExactly(failure);
    }

    @Test
    void aFailureThatTheJoinToldOfGoesToNobodyElse() throws Exception {
        IOException failure = new IOException("thread snapped");
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> skein.blockOn(() -> {
                    try (Scope<Object, ?> scope = Scope.open()) {
                        var _ = scope.fork((Action) () -> {
                            throw failure;
                        });
                        scope.join();
                    }
                }));
        skein.close();

        assertThat(unheardFailures).isEmpty();
    }
}
