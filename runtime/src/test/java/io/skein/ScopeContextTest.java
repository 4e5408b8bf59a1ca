package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.skein.Scope.Carrier;
import io.skein.Scope.Policy;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Scoped values flow into forks by themselves, and any other context by a carrier. */
@Mode.Each
class ScopeContextTest extends ModeTest {
    private static final ScopedValue<String> USER = ScopedValue.newInstance();
    private static final ThreadLocal<String> CONTEXT = ThreadLocal.withInitial(() -> "none");

    /** Carries a thread-local value, as tracing libraries do. */
    private static class ThreadLocalCarrier implements Carrier {
        final Queue<Thread> wrappers = new ConcurrentLinkedQueue<>();

        @Override
        public <T extends @Nullable Object> Callable<T> wrap(Callable<T> body) {
            wrappers.add(Thread.currentThread());
            String value = CONTEXT.get();
            return () -> {
                CONTEXT.set(value);
                try {
                    return body.call();
                } finally {
                    CONTEXT.remove();
                }
            };
        }
    }

    ScopeContextTest(Mode mode) {
        super(mode);
    }

    @Test
    void aScopedValueBoundAtTheOpenIsSeenInAFork() throws Exception {
        skein.blockOn(() -> ScopedValue.where(USER, "ada").call(() -> {
            try (Scope<String, ?> scope = Scope.open()) {
                Coroutine<String> child = scope.fork(() -> {
                    Coroutine.yieldNow();
                    return USER.get();
                });
                scope.join();

                assertThat(child.join()).isEqualTo("ada");
            }
            return "checked";
        }));
    }

    @Test
    void aForkOfAForkSeesTheScopedValueToo() throws Exception {
        skein.blockOn(() -> ScopedValue.where(USER, "ada").call(() -> {
            try (Scope<String, ?> scope = Scope.open()) {
                Coroutine<String> child = scope.fork(() -> {
                    try (Scope<String, ?> inner = Scope.open()) {
                        Coroutine<String> grandchild = inner.fork(USER::get);
                        inner.join();
                        return grandchild.join();
                    }
                });
                scope.join();

                assertThat(child.join()).isEqualTo("ada");
            }
            return "checked";
        }));
    }

    @Test
    void anInnerScopeSeesTheInnerValueAndTheOuterTheOuter() throws Exception {
        skein.blockOn(() -> ScopedValue.where(USER, "ada").call(() -> {
            try (Scope<String, ?> outer = Scope.open()) {
                String inside = ScopedValue.where(USER, "grace").call(() -> {
                    try (Scope<String, ?> inner = Scope.open()) {
                        Coroutine<String> child = inner.fork(USER::get);
                        inner.join();
                        return child.join();
                    }
                });
                Coroutine<String> child = outer.fork(USER::get);
                outer.join();

                assertThat(inside).isEqualTo("grace");
                assertThat(child.join()).isEqualTo("ada");
            }
            return "checked";
        }));
    }

    @Test
    void withoutABindingAForkSeesNone() throws Exception {
        skein.blockOn(() -> {
            try (Scope<Boolean, ?> scope = Scope.open()) {
                Coroutine<Boolean> child = scope.fork(USER::isBound);
                scope.join();

                assertThat(child.join()).isFalse();
            }
        });
    }

    @Test
    void forkingWithOtherBindingsThanAtTheOpenIsRefused() throws Exception {
        skein.blockOn(() -> {
            try (Scope<String, ?> scope = Scope.open()) {
                Throwable thrown =
                        ScopedValue.where(USER, "mallory").call(() -> catchThrowable(() -> scope.fork(() -> "forked")));

                assertThat(thrown).isNotNull();
                assertThat(thrown.getClass().getSimpleName()).isEqualTo("StructureViolationException");
                scope.join();
            }
        });
    }

    @Test
    void aForkThatWasRefusedIsNotGathered() throws Exception {
        skein.blockOn(() -> {
            try (Scope<String, List<Coroutine<String>>> scope = Scope.open(Policy.<String>gather())) {
                Coroutine<String> child = scope.fork(() -> "forked");
                assertThat(ScopedValue.where(USER, "mallory")
                                .<Throwable, RuntimeException>call(
                                        () -> catchThrowable(() -> scope.fork(() -> "refused"))))
                        .isNotNull();

                assertThat(scope.join()).containsExactly(child);
            }
        });
    }

    @Test
    void combinatorsSeeTheScopedValueToo() throws Exception {
        skein.blockOn(() -> ScopedValue.where(USER, "ada").call(() -> {
            assertThat(Tasks.whenAll(USER::get, USER::get)).containsExactly("ada", "ada");
            assertThat(Tasks.<String>race(USER::get)).isEqualTo("ada");
            return "checked";
        }));
    }

    @Test
    void aTaskSeesTheScopedValueOfWhoRunsIt() throws Exception {
        Task<String> task = Task.of(USER::get);

        String seen = skein.blockOn(() -> ScopedValue.where(USER, "ada").call(task::await));

        assertThat(seen).isEqualTo("ada");
    }

    @Test
    void aCarrierBringsTheContextOfTheForkingThread() throws Exception {
        ThreadLocalCarrier carrier = new ThreadLocalCarrier();
        skein.blockOn(() -> {
            CONTEXT.set("request 7");
            try (Scope<String, ?> scope = Scope.open(Policy.allSucceed(), options -> options.withContext(carrier))) {
                Coroutine<String> unnamed = scope.fork(() -> CONTEXT.get());
                Coroutine<String> named = scope.fork("named", () -> CONTEXT.get());
                scope.join();

                assertThat(unnamed.join()).isEqualTo("request 7");
                assertThat(named.join()).isEqualTo("request 7");
                assertThat(carrier.wrappers).hasSize(2).containsOnly(Thread.currentThread());
            }
        });
    }

    @Test
    void aCarrierWrapsABodyWithoutAValueToo() throws Exception {
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        skein.blockOn(() -> {
            CONTEXT.set("request 8");
            ThreadLocalCarrier carrier = new ThreadLocalCarrier();
            try (Scope<String, ?> scope = Scope.open(Policy.allSucceed(), options -> options.withContext(carrier))) {
                var _ = scope.fork((Action) () -> seen.add(CONTEXT.get()));
                scope.join();
            }
        });

        assertThat(seen).containsExactly("request 8");
    }

    @Test
    void aForkByAnotherThreadCarriesThatThreadsContext() throws Exception {
        ThreadLocalCarrier carrier = new ThreadLocalCarrier();
        skein.blockOn(() -> {
            CONTEXT.set("of the owner");
            try (Scope<String, ?> scope = Scope.open(Policy.allSucceed(), options -> options.withContext(carrier))) {
                Coroutine<String> child = ThreadKind.PLATFORM.call(skein, () -> {
                    CONTEXT.set("of the forker");
                    return scope.fork(() -> CONTEXT.get());
                });
                scope.join();

                assertThat(child.join()).isEqualTo("of the forker");
            }
        });
    }

    @Test
    void aCarrierThatThrowsFailsTheForkAndHurtsNobodyElse() throws Exception {
        IllegalStateException failure = new IllegalStateException("no context today");
        Carrier broken = new Carrier() {
            @Override
            public <T extends @Nullable Object> Callable<T> wrap(Callable<T> body) {
                throw failure;
            }
        };
        skein.blockOn(() -> {
            try (Scope<String, ?> scope = Scope.open(Policy.allSucceed(), options -> options.withContext(broken))) {
                assertThat(catchThrowable(() -> scope.fork(() -> "forked"))).isSameAs(failure);
                scope.join();
            }
        });
    }
}
