package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Close against fork: a child is refused, or it has ended when the close returns. */
@Mode.Each
class ScopeRaceTest extends ModeTest {
    private static final Duration SHORT = Duration.ofMillis(250);
    private static final Duration LONG = Duration.ofSeconds(10);

    /** What forks and closes: a scope, or its broken twin. */
    private interface Nursery {
        Coroutine<?> fork(Action body);

        void close();
    }

    private record RealNursery(Scope<Object, ?> scope) implements Nursery {
        @Override
        public Coroutine<?> fork(Action body) {
            return scope.fork(body);
        }

        @Override
        public void close() {
            scope.close();
        }
    }

    /** A scope whose fork looks whether it is closed before it counts the child, and not in one step. */
    private final class BrokenNursery implements Nursery {
        private final Queue<Coroutine<?>> children = new ConcurrentLinkedQueue<>();
        private volatile boolean closed;

        @Override
        public Coroutine<?> fork(Action body) {
            if (closed) {
                throw new IllegalStateException("is closed");
            }
            Collision.openWindow();
            Coroutine<?> child = skein.spawn(body);
            children.add(child);
            return child;
        }

        @Override
        public void close() {
            closed = true;
            List<Coroutine<?>> known = List.copyOf(children);
            known.forEach(child -> child.cancel(true));
            known.forEach(child -> Await.until("a child ends", child::isDone));
        }
    }

    ScopeRaceTest(Mode mode) {
        super(mode);
    }

    @Test
    void aForkThatRacesTheCloseIsRefusedOrItsChildHasEnded() throws Exception {
        closeAgainstFork(() -> new RealNursery(Scope.open()), SHORT);
    }

    @Test
    @Tag("long")
    void aForkThatRacesTheCloseIsRefusedOrItsChildHasEndedForLong() throws Exception {
        closeAgainstFork(() -> new RealNursery(Scope.open()), LONG);
    }

    @Test
    void aScopeThatLooksAndCountsInTwoStepsIsCaught() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> closeAgainstFork(() -> new BrokenNursery(), LONG));
    }

    private void closeAgainstFork(Supplier<Nursery> opening, Duration length) throws Exception {
        Collision.repeat(length, _ -> {
            AtomicReference<Nursery> open = new AtomicReference<>();
            Collision collision = new Collision(2);
            Queue<Coroutine<?>> accepted = new ConcurrentLinkedQueue<>();
            Coroutine<Long> owner = skein.spawn(() -> {
                Nursery nursery = opening.get();
                open.set(nursery);
                collision.meet();
                nursery.close();
                return accepted.stream().filter(child -> !child.isDone()).count();
            });
            collision.meet();
            forkUntilRefused(open.get(), accepted);

            long outlived = owner.join();
            long forgotten = accepted.stream().filter(child -> !child.isDone()).count();
            if (outlived + forgotten > 0) {
                skein.shutdownNow();
            }
            assertThat(outlived).as("children that outlived the close").isZero();
            assertThat(forgotten).as("children that were accepted after it").isZero();
        });
    }

    private static void forkUntilRefused(Nursery nursery, Queue<Coroutine<?>> accepted) {
        try {
            while (true) {
                accepted.add(nursery.fork(() -> new CountDownLatch(1).await()));
            }
        } catch (IllegalStateException refused) {
            assertThat(refused).hasMessageContaining("is closed");
        }
    }

    @Test
    void failuresThatCollideAreAllTold() throws Exception {
        Collision.repeat(
                SHORT,
                _ -> skein.blockOn(() -> {
                    try (Scope<Object, ?> scope = Scope.open()) {
                        CountDownLatch together = new CountDownLatch(4);
                        for (int i = 0; i < 4; i++) {
                            int number = i;
                            var _ = scope.fork((Action) () -> {
                                together.countDown();
                                while (together.getCount() > 0) {
                                    Coroutine.yieldNow();
                                }
                                throw new IOException("failure " + number);
                            });
                        }

                        Throwable thrown = catchThrowable(scope::join);

                        assertThat(thrown).isInstanceOf(CompletionException.class);
                        assertThat(StackTraces.suppressedIn(thrown)).hasSize(3);
                    }
                }));
    }

    @Test
    void ofSuccessesThatCollideOneIsTheResult() throws Exception {
        Collision.repeat(SHORT, _ -> {
            int winner = skein.blockOn(() -> Tasks.race(() -> 1, () -> 2, () -> 3));

            assertThat(winner).isBetween(1, 3);
        });
    }

    @Test
    void aCancelThatRacesAForkReachesTheChild() throws Exception {
        Collision.repeat(SHORT, _ -> {
            AtomicReference<Scope<Object, ?>> open = new AtomicReference<>();
            Collision collision = new Collision(2);
            Coroutine<?> owner = skein.spawn(() -> {
                try (Scope<Object, ?> scope = Scope.open()) {
                    open.set(scope);
                    collision.meet();
                    for (int i = 0; i < 3; i++) {
                        var _ = scope.fork(() -> new CountDownLatch(1).await());
                    }
                    assertThat(catchThrowable(scope::join)).isNotNull();
                }
            });
            collision.meet();
            open.get().cancel();

            owner.join();
        });
    }
}
