package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A cancel reaches a coroutine whatever it waits for, and whoever cancels. */
@Mode.Each
class CancellationReachTest extends ModeTest {
    private final CountDownLatch arrived = new CountDownLatch(1);

    CancellationReachTest(Mode mode) {
        super(mode);
    }

    private Coroutine<?> spawnWaiting(Wait wait) throws InterruptedException {
        Coroutine<?> coroutine = skein.spawn(wait.name(), () -> wait.begin(arrived::countDown));
        arrived.await();
        Await.untilWaiting(coroutine);
        return coroutine;
    }

    private static void assertCancelled(Coroutine<?> coroutine) {
        Await.until(coroutine.name() + " ends", coroutine::isDone, coroutine.thread());
        assertThat(coroutine.state()).isEqualTo(Future.State.CANCELLED);
        assertThatExceptionOfType(CancellationException.class).isThrownBy(coroutine::join);
    }

    @ParameterizedTest
    @EnumSource
    void aCancelledCoroutineStopsWaiting(Wait wait) throws Exception {
        Coroutine<?> coroutine = spawnWaiting(wait);

        assertThat(coroutine.cancel(true)).isTrue();

        assertCancelled(coroutine);
    }

    @ParameterizedTest
    @EnumSource
    void aCoroutineCancelledBeforeItWaitsDoesNotWait(Wait wait) {
        CompletableFuture<Coroutine<?>> self = new CompletableFuture<>();
        Coroutine<?> coroutine =
                skein.spawn(wait.name(), () -> wait.begin(() -> self.join().cancel(true)));

        self.complete(coroutine);

        assertCancelled(coroutine);
    }

    @ParameterizedTest
    @EnumSource
    void aShutdownReachesWhoeverWaits(Wait wait) throws Exception {
        Coroutine<?> coroutine = spawnWaiting(wait);

        skein.shutdownNow();

        assertCancelled(coroutine);
    }

    @ParameterizedTest
    @EnumSource
    void aScopeThatIsClosedReachesItsChildren(Wait wait) throws Exception {
        AtomicReference<Coroutine<Object>> child = new AtomicReference<>();
        CountDownLatch waits = new CountDownLatch(1);
        Coroutine<?> owner = skein.spawn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                child.set(scope.fork((Action) () -> wait.begin(arrived::countDown)));
                waits.await();
            }
        });
        arrived.await();
        Await.until("the fork has returned", () -> child.get() != null);
        Await.untilWaiting(child.get());

        waits.countDown();
        owner.join();

        assertThat(child.get().isDone()).isTrue();
        assertCancelled(child.get());
    }

    @ParameterizedTest
    @EnumSource
    void aFailedSiblingReachesWhoeverWaits(Wait wait) throws Exception {
        IllegalStateException failure = new IllegalStateException("the sibling failed");
        AtomicReference<Coroutine<Object>> child = new AtomicReference<>();
        CountDownLatch fail = new CountDownLatch(1);
        Coroutine<Throwable> owner = skein.spawn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                child.set(scope.fork((Action) () -> wait.begin(arrived::countDown)));
                var _ = scope.fork((Action) () -> {
                    fail.await();
                    throw failure;
                });
                return catchThrowable(scope::join);
            }
        });
        arrived.await();
        Await.until("the fork has returned", () -> child.get() != null);
        Await.untilWaiting(child.get());

        fail.countDown();

        assertThat(owner.join()).hasCause(failure);
        assertCancelled(child.get());
    }
}
