package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A scope's children run concurrently, and its owner waits for all of them. */
@Mode.Each
class ScopeTest extends ModeTest {
    ScopeTest(Mode mode) {
        super(mode);
    }

    @Test
    void childrenRunConcurrentlyAndTheirValuesAreThereAfterTheJoin() throws Exception {
        skein.blockOn(() -> {
            CyclicBarrier together = new CyclicBarrier(10);
            try (Scope<Integer, ?> scope = Scope.open()) {
                List<Coroutine<Integer>> children = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    int number = i;
                    children.add(scope.fork(() -> {
                        together.await(20, TimeUnit.SECONDS);
                        return number;
                    }));
                }

                scope.join();

                for (int i = 0; i < 10; i++) {
                    assertThat(children.get(i).resultNow()).isEqualTo(i);
                }
            }
        });
    }

    @Test
    void joinWaitsForTheSlowestChild() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger ended = new AtomicInteger();
        Coroutine<Integer> owner = skein.spawn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                var _ = scope.fork(() -> ended.incrementAndGet());
                var _ = scope.fork(() -> {
                    release.await();
                    ended.incrementAndGet();
                });
                scope.join();
                return ended.get();
            }
        });
        Await.untilWaiting(owner);

        release.countDown();

        assertThat(owner.join()).isEqualTo(2);
    }

    @Test
    void aScopeWithoutChildrenIsJoinedAtOnce() throws Exception {
        Object joined = skein.<@Nullable Object>blockOn(() -> {
            try (Scope<Object, @Nullable Void> scope = Scope.open()) {
                return scope.join();
            }
        });

        assertThat(joined).isNull();
    }

    @Test
    void aBodyWithoutAValueEndsWithNull() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        skein.blockOn(() -> {
            try (Scope<String, ?> scope = Scope.open()) {
                Coroutine<String> child = scope.fork((Action) ran::incrementAndGet);
                scope.join();

                assertThat(child.join()).isNull();
            }
        });

        assertThat(ran).hasValue(1);
    }

    @Test
    void aForkHasTheNameItWasGiven() throws Exception {
        skein.blockOn(() -> {
            try (Scope<String, ?> scope = Scope.open()) {
                Coroutine<String> child =
                        scope.fork("weaver", () -> Thread.currentThread().getName());
                scope.join();

                assertThat(child.name()).isEqualTo("weaver");
                assertThat(child.join()).isEqualTo("weaver");
            }
        });
    }

    @Test
    void aScopeHasTheNameItWasGivenOrOneOfItsOwn() throws Exception {
        skein.blockOn(() -> {
            try (var named = Scope.open(Scope.Policy.allSucceed(), options -> options.withName("loom"));
                    var unnamed = Scope.open()) {
                assertThat(named.name()).isEqualTo("loom");
                assertThat(unnamed.name()).isNotBlank();
            }
        });
    }

    @Test
    void childrenAreCoroutinesOfTheSameRuntime() throws Exception {
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                Coroutine<Object> child = scope.fork(() -> Skein.current());
                scope.join();

                assertThat(child.join()).isSameAs(skein);
            }
        });
    }

    @Test
    void aTaskMayBeForked() throws Exception {
        skein.blockOn(() -> {
            Task<String> task = Task.of(() -> "woven");
            try (Scope<String, ?> scope = Scope.open()) {
                Coroutine<String> child = scope.fork(task);
                scope.join();

                assertThat(child.join()).isEqualTo("woven");
                assertThat(task.await()).isEqualTo("woven");
            }
        });
    }

    @Test
    void aScopeIsOpenedInsideACoroutineOnly() throws Exception {
        for (ThreadKind kind : new ThreadKind[] {ThreadKind.PLATFORM, ThreadKind.VIRTUAL}) {
            kind.call(skein, () -> {
                assertThatExceptionOfType(IllegalStateException.class).isThrownBy(Scope::open);
                return kind;
            });
        }
    }

    @Test
    void childrenForkIntoTheirScopeWhileItIsJoined() throws Exception {
        int generations = skein.blockOn(() -> {
            AtomicInteger born = new AtomicInteger();
            try (Scope<Object, ?> scope = Scope.open()) {
                forkGenerations(scope, born, 50);
                scope.join();
                return born.get();
            }
        });

        assertThat(generations).isEqualTo(50);
    }

    private static void forkGenerations(Scope<Object, ?> scope, AtomicInteger born, int left) {
        if (left > 0) {
            var _ = scope.fork(() -> {
                Coroutine.yieldNow();
                born.incrementAndGet();
                forkGenerations(scope, born, left - 1);
            });
        }
    }

    @Test
    void anyThreadForksIntoAScopeThatIsOpen() throws Exception {
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                List<Coroutine<Object>> children = new ArrayList<>();
                for (ThreadKind kind : ThreadKind.values()) {
                    children.add(kind.call(skein, () -> scope.fork(() -> Skein.current())));
                }
                scope.join();

                for (Coroutine<Object> child : children) {
                    assertThat(child.join()).isSameAs(skein);
                }
            }
        });
    }

    @Test
    void onlyTheOwnerJoinsAndCloses() throws Exception {
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                for (ThreadKind kind : ThreadKind.values()) {
                    kind.call(skein, () -> {
                        assertThatExceptionOfType(WrongThreadException.class).isThrownBy(scope::join);
                        assertThatExceptionOfType(WrongThreadException.class).isThrownBy(scope::close);
                        return kind;
                    });
                }
                Coroutine<Object> child = scope.fork(() -> {
                    assertThatExceptionOfType(WrongThreadException.class).isThrownBy(scope::join);
                    assertThatExceptionOfType(WrongThreadException.class).isThrownBy(scope::close);
                    return "still open";
                });
                scope.join();

                assertThat(child.join()).isEqualTo("still open");
            }
        });
    }

    @Test
    void aScopeIsJoinedAgainAfterMoreForks() throws Exception {
        skein.blockOn(() -> {
            AtomicInteger ended = new AtomicInteger();
            try (Scope<Object, ?> scope = Scope.open()) {
                for (int round = 1; round <= 5; round++) {
                    var _ = scope.fork(() -> {
                        Coroutine.yieldNow();
                        ended.incrementAndGet();
                    });
                    scope.join();
                    scope.join();
                    assertThat(ended).hasValue(round);
                }
            }
        });
    }

    @Test
    void scopesNest() throws Exception {
        int sum = skein.blockOn(() -> {
            try (Scope<Integer, ?> outer = Scope.open()) {
                List<Coroutine<Integer>> branches = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    int tens = 10 * i;
                    branches.add(outer.fork(() -> sumOfTen(tens)));
                }
                int here = sumOfTen(1000);
                outer.join();
                int total = here;
                for (Coroutine<Integer> branch : branches) {
                    total += branch.join();
                }
                return total;
            }
        });

        assertThat(sum).isEqualTo(4950 + 10_045);
    }

    private static int sumOfTen(int start) throws InterruptedException {
        try (Scope<Integer, ?> scope = Scope.open()) {
            List<Coroutine<Integer>> leaves = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                int number = start + i;
                leaves.add(scope.fork(() -> number));
            }
            scope.join();
            int sum = 0;
            for (Coroutine<Integer> leaf : leaves) {
                sum += leaf.join();
            }
            return sum;
        }
    }

    @Test
    void aScopeHoldsManyChildren() throws Exception {
        AtomicInteger ended = new AtomicInteger();
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                for (int i = 0; i < 20_000; i++) {
                    var _ = scope.fork(() -> ended.incrementAndGet());
                }
                scope.join();
                assertThat(ended).hasValue(20_000);
            }
        });
    }
}
