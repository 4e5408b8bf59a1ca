package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.Action;
import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.Scope;
import io.skein.Scope.Policy;
import io.skein.Tasks;
import io.skein.internal.loom.Loom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scopes of virtual threads that a library has started in a coroutine. */
@Mode.Each
class LibraryScopeTest extends ModeTest {
    LibraryScopeTest(Mode mode) {
        super(mode);
    }

    @BeforeEach
    void assumeFlags() {
        assumeTrue(Loom.available(), "without the flags a library's thread is the JDK's");
    }

    /** Runs a body in a virtual thread that is started in a coroutine, and waits for it. */
    private void inLibraryThread(Action body) throws Exception {
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            body.run();
            return true;
        });
        skein.blockOn(() -> {
            Thread.startVirtualThread(task);
            task.get();
        });
    }

    @Test
    void itsScopeForksAndJoins() throws Exception {
        inLibraryThread(() -> {
            try (Scope<String, ?> scope = Scope.open()) {
                Coroutine<String> child = scope.fork(() -> Coroutine.current().name());
                scope.join();
                assertThat(child.resultNow()).isEqualTo(child.name());
            }
        });
    }

    @Test
    void scopesMayBeNestedAndOpenedAgain() throws Exception {
        inLibraryThread(() -> {
            for (int i = 0; i < 3; i++) {
                try (Scope<Object, ?> outer = Scope.open();
                        Scope<Object, ?> inner = Scope.open()) {
                    var _ = inner.fork(() -> outer.fork(() -> "grandchild").join());
                    inner.join();
                    outer.join();
                }
            }
        });
    }

    @Test
    void tasksWorkInIt() throws Exception {
        inLibraryThread(() -> assertThat(Tasks.whenAll(() -> 1, () -> 2)).isEqualTo(List.of(1, 2)));
    }

    @Test
    void itsScopesTimeoutCancelsTheChildren() throws Exception {
        inLibraryThread(() -> {
            try (Scope<Object, ?> scope =
                    Scope.open(Policy.allSucceed(), options -> options.withTimeout(Duration.ofMillis(20)))) {
                var _ = scope.fork(() -> new CountDownLatch(1).await());
                assertThat(catchThrowable(scope::join))
                        .isInstanceOf(CompletionException.class)
                        .hasCauseInstanceOf(TimeoutException.class);
            }
        });
    }

    @Test
    void nobodyElseMayJoinIt() throws Exception {
        inLibraryThread(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                Coroutine<Throwable> other = skein.spawn(() -> catchThrowable(scope::join));
                assertThat(other.join())
                        .isInstanceOf(WrongThreadException.class)
                        .hasMessageContaining("thread-" + Thread.currentThread().threadId());
            }
        });
    }

    @Test
    void aThreadThatEndsWithAScopeOpenLeavesNoChild() throws Exception {
        AtomicReference<Coroutine<?>> child = new AtomicReference<>();
        skein.blockOn(() -> Thread.startVirtualThread(() -> {
                    Scope<Object, ?> left = Scope.open();
                    child.set(left.fork(() -> new CountDownLatch(1).await()));
                })
                .join());

        Await.until("the child has ended", () -> child.get().isDone());
        assertThat(child.get().isCancelled()).isTrue();
    }

    @Test
    void aShutdownReachesItsChildren() throws Exception {
        AtomicReference<Coroutine<?>> child = new AtomicReference<>();
        CountDownLatch forked = new CountDownLatch(1);
        skein.blockOn(() -> {
            Thread.startVirtualThread(() -> {
                try (Scope<Object, ?> scope = Scope.open()) {
                    child.set(scope.fork(() -> new CountDownLatch(1).await()));
                    forked.countDown();
                    awaitUninterruptibly(child.get());
                }
            });
        });
        forked.await();

        skein.shutdownNow();

        Await.until("the child has ended", () -> child.get().isDone());
        assertThat(child.get().isCancelled()).isTrue();
    }

    /** Keeps the scope open: so its children are not cancelled by their owner. */
    private static void awaitUninterruptibly(Coroutine<?> child) {
        while (!child.isDone()) {
            Coroutine.yieldNow();
        }
    }
}
