package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A token tells those who ask whether its coroutine was cancelled, whoever did it. */
@Mode.Each
class CancelTokenTest extends ModeTest {
    CancelTokenTest(Mode mode) {
        super(mode);
    }

    private Coroutine<?> spawnEndless() {
        Coroutine<?> coroutine = skein.spawn("endless", () -> new CountDownLatch(1).await());
        Await.untilWaiting(coroutine);
        return coroutine;
    }

    @Test
    void aTokenTellsOfACancelFromThatMomentOn() {
        Coroutine<?> coroutine = spawnEndless();
        CancelToken token = coroutine.cancelToken();
        assertThat(token.isCancelled()).isFalse();

        coroutine.cancel(true);

        assertThat(token.isCancelled()).isTrue();
        assertThatExceptionOfType(CancellationException.class).isThrownBy(coroutine::join);
        assertThat(token.isCancelled()).as("after the end").isTrue();
    }

    @Test
    void theCurrentTokenIsThatOfTheCallingCoroutine() throws Exception {
        AtomicReference<CancelToken> seen = new AtomicReference<>();
        CountDownLatch release = new CountDownLatch(1);
        Coroutine<?> coroutine = skein.spawn(() -> {
            seen.set(CancelToken.current());
            Coroutine.shielded(() -> release.await());
        });
        Await.untilWaiting(coroutine);
        assertThat(seen.get().isCancelled()).isFalse();

        coroutine.cancel(true);

        assertThat(seen.get().isCancelled()).isTrue();
        release.countDown();
    }

    @Test
    void aThreadThatIsNoCoroutineHasNoToken() throws Exception {
        for (ThreadKind kind : new ThreadKind[] {ThreadKind.PLATFORM, ThreadKind.VIRTUAL}) {
            kind.call(skein, () -> {
                assertThatExceptionOfType(IllegalStateException.class).isThrownBy(CancelToken::current);
                return kind;
            });
        }
    }

    @Test
    void whoPollsThrowsOnlyAfterACancel() throws Exception {
        AtomicBoolean polled = new AtomicBoolean();
        Coroutine<?> coroutine = skein.spawn((Action) () -> {
            CancelToken token = CancelToken.current();
            while (true) {
                token.throwIfCancelled();
                polled.set(true);
                Coroutine.yieldNow();
            }
        });
        Await.until("it has polled", polled::get);

        coroutine.cancel(true);

        assertThatExceptionOfType(CancellationException.class).isThrownBy(coroutine::join);
        assertThat(coroutine.state()).isEqualTo(Future.State.CANCELLED);
    }

    @Test
    void anInterruptThatIsNoCancelLeavesTheTokenAlone() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Coroutine<Boolean> coroutine = skein.spawn(() -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                return CancelToken.current().isCancelled();
            }
            return true;
        });
        Await.untilWaiting(coroutine);

        coroutine.thread().interrupt();

        assertThat(coroutine.join()).isFalse();
    }

    @Test
    void aCancelOfAScopeReachesTheTokensOfItsChildren() throws Exception {
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                CountDownLatch running = new CountDownLatch(1);
                Coroutine<Object> child = scope.fork(() -> {
                    running.countDown();
                    new CountDownLatch(1).await();
                    return "never";
                });
                running.await();
                assertThat(child.cancelToken().isCancelled()).isFalse();

                scope.cancel();

                assertThat(child.cancelToken().isCancelled()).isTrue();
            }
        });
    }

    @Test
    void aShutdownOfTheRuntimeReachesEveryToken() {
        Coroutine<?> one = spawnEndless();
        Coroutine<?> two = spawnEndless();

        skein.shutdownNow();

        assertThat(one.cancelToken().isCancelled()).isTrue();
        assertThat(two.cancelToken().isCancelled()).isTrue();
    }

    @Test
    void aCoroutineThatIsSpawnedAndCancelledAtOnceKnowsIt() throws Exception {
        boolean known = skein.blockOn(() -> {
            Coroutine<Boolean> child =
                    Skein.current().spawn(() -> Coroutine.shielded(() -> awaitCancel(CancelToken.current())));
            child.cancel(true);
            return child.join();
        });

        assertThat(known).isTrue();
    }

    @Test
    void oneCoroutinesCancelIsNotAnothers() {
        Coroutine<?> victim = spawnEndless();
        Coroutine<?> neighbour = spawnEndless();

        victim.cancel(true);

        assertThat(neighbour.cancelToken().isCancelled()).isFalse();
        neighbour.cancel(true);
    }

    @Test
    void theTokenOfACoroutineThatEndedByItselfStaysQuiet() throws Exception {
        Coroutine<String> coroutine = skein.spawn(() -> "value");
        coroutine.join();

        coroutine.cancel(true);

        assertThat(coroutine.cancelToken().isCancelled()).isFalse();
        coroutine.cancelToken().throwIfCancelled();
    }

    private static boolean awaitCancel(CancelToken token) {
        while (!token.isCancelled()) {
            Coroutine.yieldNow();
        }
        return true;
    }
}
