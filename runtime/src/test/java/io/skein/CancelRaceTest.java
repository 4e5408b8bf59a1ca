package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.CancelToken.Registration;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Cancel against cancel, against completion, and against a callback that is registered or taken back. */
@Mode.Each
class CancelRaceTest extends ModeTest {
    private static final Duration SHORT = Duration.ofMillis(250);
    private static final Duration LONG = Duration.ofSeconds(10);

    /** What is cancelled and tells of it: a coroutine, or a broken twin of its token. */
    private interface Cancellable {
        void cancel();

        AutoCloseable onCancel(Runnable callback);

        void end();
    }

    private final class RealCancellable implements Cancellable {
        private final CountDownLatch release = new CountDownLatch(1);
        private final Coroutine<?> coroutine = skein.spawn(() -> release.await());

        @Override
        public void cancel() {
            coroutine.cancel(true);
        }

        @Override
        public AutoCloseable onCancel(Runnable callback) {
            return coroutine.cancelToken().onCancel(callback);
        }

        @Override
        public void end() {
            release.countDown();
            Await.until("it has ended", coroutine::isDone);
        }
    }

    /** A token that looks at its state and acts on it in two steps. */
    private static final class BrokenCancellable implements Cancellable {
        private final Queue<Runnable> callbacks = new ConcurrentLinkedQueue<>();
        private volatile boolean cancelled;

        @Override
        public void cancel() {
            if (!cancelled) {
                Collision.openWindow();
                cancelled = true;
                callbacks.forEach(Runnable::run);
            }
        }

        @Override
        public AutoCloseable onCancel(Runnable callback) {
            if (cancelled) {
                callback.run();
                return () -> {};
            }
            Collision.openWindow();
            callbacks.add(callback);
            return () -> callbacks.remove(callback);
        }

        @Override
        public void end() {}
    }

    CancelRaceTest(Mode mode) {
        super(mode);
    }

    @Test
    void aCallbackThatIsRegisteredDuringTheCancelRunsOnce() throws Exception {
        registerAgainstCancel(RealCancellable::new, SHORT);
    }

    @Test
    @Tag("long")
    void aCallbackThatIsRegisteredDuringTheCancelRunsOnceForLong() throws Exception {
        registerAgainstCancel(RealCancellable::new, LONG);
    }

    @Test
    void aTokenThatLosesCallbacksIsCaught() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> registerAgainstCancel(BrokenCancellable::new, LONG));
    }

    private static void registerAgainstCancel(Supplier<Cancellable> maker, Duration length) throws Exception {
        Collision.repeat(length, _ -> {
            Cancellable subject = maker.get();
            AtomicInteger calls = new AtomicInteger();
            Collision collision = new Collision(2);
            Thread canceller = Thread.ofPlatform().start(() -> {
                collision.meet();
                subject.cancel();
            });
            collision.meet();
            for (int i = 0; i < 3; i++) {
                var _ = subject.onCancel(calls::incrementAndGet);
            }
            canceller.join();
            subject.end();

            assertThat(calls).hasValue(3);
        });
    }

    @Test
    void callbacksRunOnceWhenSeveralCancelAtOnce() throws Exception {
        cancelAgainstCancel(RealCancellable::new, SHORT);
    }

    @Test
    @Tag("long")
    void callbacksRunOnceWhenSeveralCancelAtOnceForLong() throws Exception {
        cancelAgainstCancel(RealCancellable::new, LONG);
    }

    @Test
    void aTokenThatIsCancelledTwiceIsCaught() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> cancelAgainstCancel(BrokenCancellable::new, LONG));
    }

    private static void cancelAgainstCancel(Supplier<Cancellable> maker, Duration length) throws Exception {
        Collision.repeat(length, _ -> {
            Cancellable subject = maker.get();
            AtomicInteger calls = new AtomicInteger();
            var _ = subject.onCancel(calls::incrementAndGet);
            Collision collision = new Collision(2);
            Thread rival = Thread.ofPlatform().start(() -> {
                collision.meet();
                subject.cancel();
            });
            collision.meet();
            subject.cancel();
            rival.join();
            subject.end();

            assertThat(calls).hasValue(1);
        });
    }

    @Test
    void aCallbackThatIsTakenBackDuringTheCancelRunsAtMostOnceAndTheOthersRun() throws Exception {
        Collision.repeat(SHORT, _ -> {
            RealCancellable subject = new RealCancellable();
            AtomicInteger calls = new AtomicInteger();
            AtomicInteger taken = new AtomicInteger();
            var _ = subject.onCancel(calls::incrementAndGet);
            AutoCloseable registration = subject.onCancel(taken::incrementAndGet);
            var _ = subject.onCancel(calls::incrementAndGet);
            Collision collision = new Collision(2);
            Thread canceller = Thread.ofPlatform().start(() -> {
                collision.meet();
                subject.cancel();
            });
            collision.meet();
            registration.close();
            canceller.join();
            subject.end();

            assertThat(taken.get()).isBetween(0, 1);
            assertThat(calls).hasValue(2);
        });
    }

    @Test
    void aCallbackRunsAlthoughTheInterruptedCoroutineIsQuickToTakeItBack() throws Exception {
        Collision.repeat(SHORT, _ -> {
            AtomicInteger calls = new AtomicInteger();
            CountDownLatch registered = new CountDownLatch(1);
            Coroutine<?> coroutine = skein.spawn(() -> {
                try (Registration registration = CancelToken.current().onCancel(calls::incrementAndGet)) {
                    assertThat(registration).isNotNull();
                    registered.countDown();
                    new CountDownLatch(1).await();
                }
            });
            registered.await();
            coroutine.cancel(true);

            Await.until("it has ended", coroutine::isDone);
            assertThat(calls).hasValue(1);
        });
    }

    @Test
    void aCancelAndAnEndAgreeOnWhichCameFirst() throws Exception {
        cancelAgainstEnd(SHORT);
    }

    @Test
    @Tag("long")
    void aCancelAndAnEndAgreeOnWhichCameFirstForLong() throws Exception {
        cancelAgainstEnd(LONG);
    }

    private void cancelAgainstEnd(Duration length) throws Exception {
        Collision.repeat(length, _ -> {
            Collision collision = new Collision(2);
            AtomicInteger calls = new AtomicInteger();
            Coroutine<String> coroutine = skein.spawn(() -> {
                var _ = CancelToken.current().onCancel(calls::incrementAndGet);
                collision.meet();
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                return "value";
            });
            collision.meet();
            boolean cancelled = coroutine.cancel(true);

            Await.until("it has ended", coroutine::isDone);
            assertThat(calls).as("callbacks that ran").hasValue(cancelled ? 1 : 0);
            assertThat(coroutine.cancelToken().isCancelled()).isEqualTo(cancelled);
            if (coroutine.state() == Future.State.SUCCESS) {
                assertThat(coroutine.join()).isEqualTo("value");
            } else {
                assertThat(coroutine.state()).isEqualTo(Future.State.CANCELLED);
                assertThat(cancelled).isTrue();
            }
        });
    }
}
