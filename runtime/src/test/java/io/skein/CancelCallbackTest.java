package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.CancelToken.Registration;
import java.lang.ref.WeakReference;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Callbacks of a token: each runs once, on the thread that cancels, unless it was taken back. */
@Mode.Each
class CancelCallbackTest extends ModeTest {
    /** A callback that is an object of its own, so that its collection can be seen. */
    private static final class Marker implements Runnable {
        @Override
        public void run() {}
    }

    private final AtomicInteger calls = new AtomicInteger();
    private final CountDownLatch release = new CountDownLatch(1);

    CancelCallbackTest(Mode mode) {
        super(mode);
    }

    /** A coroutine that lives until it is cancelled or released. */
    private Coroutine<?> spawnEndless() {
        Coroutine<?> coroutine = skein.spawn("endless", () -> release.await());
        Await.untilWaiting(coroutine);
        return coroutine;
    }

    @Test
    void aCallbackRunsOnTheThreadThatCancelsBeforeCancelReturns() throws Exception {
        for (ThreadKind canceller : ThreadKind.values()) {
            Coroutine<?> coroutine = spawnEndless();
            AtomicReference<Thread> ranOn = new AtomicReference<>();
            var _ = coroutine.cancelToken().onCancel(() -> ranOn.set(Thread.currentThread()));

            Thread cancelling = canceller.call(skein, () -> {
                coroutine.cancel(true);
                assertThat(ranOn.get()).isSameAs(Thread.currentThread());
                return Thread.currentThread();
            });

            assertThat(ranOn.get()).isSameAs(cancelling);
        }
    }

    @Test
    void aCallbackRunsOnceHoweverOftenTheCoroutineIsCancelled() {
        Coroutine<?> coroutine = skein.spawn(() -> Coroutine.shielded(() -> release.await()));
        Await.untilWaiting(coroutine);
        var _ = coroutine.cancelToken().onCancel(calls::incrementAndGet);

        coroutine.cancel(true);
        coroutine.cancel(true);
        coroutine.cancel(false);

        assertThat(calls).hasValue(1);
        release.countDown();
    }

    @Test
    void everyCallbackRuns() {
        Coroutine<?> coroutine = spawnEndless();
        for (int i = 0; i < 100; i++) {
            var _ = coroutine.cancelToken().onCancel(calls::incrementAndGet);
        }

        coroutine.cancel(true);

        assertThat(calls).hasValue(100);
    }

    @Test
    void theSameCallbackRegisteredTwiceRunsTwice() {
        Coroutine<?> coroutine = spawnEndless();
        Runnable callback = calls::incrementAndGet;
        Registration first = coroutine.cancelToken().onCancel(callback);
        var _ = coroutine.cancelToken().onCancel(callback);
        var _ = coroutine.cancelToken().onCancel(callback);
        first.close();

        coroutine.cancel(true);

        assertThat(calls).hasValue(2);
    }

    @Test
    void aCallbackRegisteredAfterTheCancelRunsAtOnceOnTheRegisteringThread() throws Exception {
        Coroutine<?> coroutine = skein.spawn(() -> Coroutine.shielded(() -> release.await()));
        Await.untilWaiting(coroutine);
        coroutine.cancel(true);

        for (ThreadKind kind : ThreadKind.values()) {
            boolean sameThread = kind.call(skein, () -> {
                AtomicReference<Thread> ranOn = new AtomicReference<>();
                Registration registration = coroutine.cancelToken().onCancel(() -> ranOn.set(Thread.currentThread()));
                registration.close();
                return ranOn.get() == Thread.currentThread();
            });
            assertThat(sameThread).isTrue();
        }
        release.countDown();
    }

    @Test
    void aCoroutineRegistersItsOwnCleanUp() {
        Coroutine<?> coroutine = skein.spawn(() -> {
            try (Registration registration = CancelToken.current().onCancel(calls::incrementAndGet)) {
                assertThat(registration).isNotNull();
                release.await();
            }
        });
        Await.untilWaiting(coroutine);

        coroutine.cancel(true);

        assertThatExceptionOfType(CancellationException.class).isThrownBy(coroutine::join);
        assertThat(calls).hasValue(1);
    }

    @Test
    void aCallbackThatWasTakenBackNeverRuns() {
        Coroutine<?> coroutine = spawnEndless();
        Registration first = coroutine.cancelToken().onCancel(calls::incrementAndGet);
        Registration taken = coroutine.cancelToken().onCancel(() -> calls.addAndGet(1000));
        Registration last = coroutine.cancelToken().onCancel(calls::incrementAndGet);

        taken.close();
        taken.close();
        coroutine.cancel(true);
        first.close();
        last.close();

        assertThat(calls).hasValue(2);
    }

    @Test
    void aCallbackThatThrowsHurtsNeitherTheCancellerNorTheOthersAndIsHeardOf() throws Exception {
        expectUnheardFailures();
        Coroutine<?> coroutine = spawnEndless();
        IllegalStateException failure = new IllegalStateException("the callback failed");
        var _ = coroutine.cancelToken().onCancel(calls::incrementAndGet);
        var _ = coroutine.cancelToken().onCancel(() -> {
            throw failure;
        });
        var _ = coroutine.cancelToken().onCancel(calls::incrementAndGet);

        assertThat(coroutine.cancel(true)).isTrue();

        assertThat(calls).hasValue(2);
        assertThatExceptionOfType(CancellationException.class).isThrownBy(coroutine::join);
        Await.until("the handler hears of it", () -> unheardFailures.contains(failure));
    }

    @Test
    void aCallbackThatThrowsWhenItIsRegisteredTooLateIsHeardOfToo() {
        expectUnheardFailures();
        Coroutine<?> coroutine = skein.spawn(() -> Coroutine.shielded(() -> release.await()));
        Await.untilWaiting(coroutine);
        coroutine.cancel(true);
        IllegalStateException failure = new IllegalStateException("the callback failed");

        var _ = coroutine.cancelToken().onCancel(() -> {
            throw failure;
        });

        Await.until("the handler hears of it", () -> unheardFailures.contains(failure));
        release.countDown();
    }

    @Test
    void callbacksOfACoroutineThatEndedByItselfNeverRun() throws Exception {
        Coroutine<?> coroutine = spawnEndless();
        var _ = coroutine.cancelToken().onCancel(calls::incrementAndGet);
        release.countDown();
        coroutine.join();

        assertThat(coroutine.cancel(true)).isFalse();
        var _ = coroutine.cancelToken().onCancel(calls::incrementAndGet);

        assertThat(calls).hasValue(0);
    }

    @Test
    void callbacksOfACoroutineThatEndsAreNotKept() throws Exception {
        Coroutine<?> coroutine = spawnEndless();
        WeakReference<Runnable> callback = registerMarker(coroutine);
        release.countDown();
        coroutine.join();

        awaitCollected(callback);
        assertThat(coroutine.isDone()).isTrue(); // keeps the handle until here
    }

    @Test
    void callbacksOfACoroutineThatHasEndedAreNotKept() throws Exception {
        Coroutine<?> coroutine = spawnEndless();
        release.countDown();
        coroutine.join();
        WeakReference<Runnable> callback = registerMarker(coroutine);

        awaitCollected(callback);
        assertThat(coroutine.isDone()).isTrue(); // keeps the handle until here
    }

    @Test
    void aCallbackThatWasTakenBackIsNotKept() {
        Coroutine<?> coroutine = spawnEndless();
        Runnable callback = new Marker();
        WeakReference<Runnable> reference = new WeakReference<>(callback);
        Registration registration = coroutine.cancelToken().onCancel(callback);
        var _ = coroutine.cancelToken().onCancel(calls::incrementAndGet);

        registration.close();
        callback = null;
        registration = null;

        awaitCollected(reference);
        release.countDown();
    }

    @Test
    void aCallbackMayRegisterAnotherAndCancelAgain() {
        Coroutine<?> coroutine = spawnEndless();
        Queue<String> order = new ConcurrentLinkedQueue<>();
        var _ = coroutine.cancelToken().onCancel(() -> {
            order.add("outer");
            coroutine.cancel(true);
            var _ = coroutine.cancelToken().onCancel(() -> order.add("inner"));
            order.add("outer ends");
        });

        coroutine.cancel(true);

        assertThat(order).containsExactly("outer", "inner", "outer ends");
    }

    @Test
    void aCallbackMayCloseItsOwnRegistration() {
        Coroutine<?> coroutine = spawnEndless();
        AtomicReference<Registration> own = new AtomicReference<>();
        own.set(coroutine.cancelToken().onCancel(() -> {
            own.get().close();
            calls.incrementAndGet();
        }));

        coroutine.cancel(true);

        assertThat(calls).hasValue(1);
    }

    private static WeakReference<Runnable> registerMarker(Coroutine<?> coroutine) {
        Runnable callback = new Marker();
        var _ = coroutine.cancelToken().onCancel(callback);
        return new WeakReference<>(callback);
    }

    private static void awaitCollected(WeakReference<?> reference) {
        Await.until("the callback is collected", () -> {
            System.gc();
            return reference.refersTo(null);
        });
    }
}
