package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

@Mode.Each
@SuppressWarnings("ThreadPriorityCheck") // Yielding is what coroutines do.
class StopTest extends ModeTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final CountDownLatch release = new CountDownLatch(1);

    StopTest(Mode mode) {
        super(mode);
    }

    @Test
    void aLoopWithNothingToWaitForStopsAtOnce() throws Exception {
        skein.loop();

        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> skein.spawn(() -> "too late"));
    }

    @Test
    void aLoopReturnsWhenNoCoroutineIsLeft() throws Exception {
        AtomicInteger ended = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            var _ = skein.spawn(() -> {
                release.await();
                Thread.yield();
                ended.incrementAndGet();
            });
        }
        Thread looper = loopInAThread();

        release.countDown();
        looper.join();

        assertThat(ended).hasValue(20);
        assertThat(skein.metrics().liveCoroutines()).isZero();
    }

    @Test
    void whileALoopWaitsAnybodyMaySpawn() throws Exception {
        var _ = skein.spawn(() -> release.await());
        Thread looper = loopInAThread();

        assertThat(skein.spawn(() -> "from outside").join()).isEqualTo("from outside");
        assertThat(skein.blockOn(() -> skein.spawn(() -> "from inside").join())).isEqualTo("from inside");

        release.countDown();
        looper.join();
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> skein.spawn(() -> "too late"));
    }

    @Test
    void aLoopThatIsInterruptedLeavesTheRuntimeAsItWas() throws Exception {
        Coroutine<?> living = skein.spawn(() -> release.await());
        AtomicReference<Throwable> outcome = new AtomicReference<>();
        Thread looper = Thread.ofPlatform().name("looper").start(() -> {
            try {
                skein.loop();
            } catch (InterruptedException e) {
                outcome.set(e);
            }
        });
        Await.untilWaiting(looper);

        looper.interrupt();
        looper.join();

        assertThat(outcome.get()).isInstanceOf(InterruptedException.class);
        assertThat(living.isDone()).isFalse();
        assertThat(skein.blockOn(() -> "alive")).isEqualTo("alive");
        release.countDown();
        skein.loop();
    }

    @Test
    void aCoroutineCannotStopTheRuntimeThatItLivesOn() {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> skein.blockOn(() -> skein.loop()))
                .withCauseInstanceOf(IllegalStateException.class);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> skein.blockOn(() -> skein.close(LONG)))
                .withCauseInstanceOf(IllegalStateException.class);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> skein.blockOn(() -> skein.close()))
                .withCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void aCloseWithABoundReturnsTrueWhenEverythingHasEnded() throws Exception {
        Coroutine<String> coroutine = skein.spawn(() -> "ended");

        assertThat(skein.close(LONG)).isTrue();

        assertThat(coroutine.join()).isEqualTo("ended");
        assertThat(skein.close(Duration.ZERO)).as("closing again").isTrue();
    }

    @Test
    void aCloseWhoseBoundPassesRefusesFromOutsideAndLetsTheRestGoOn() throws Exception {
        Coroutine<String> living = skein.spawn(() -> {
            release.await();
            return skein.spawn(() -> "born after the bound").join();
        });
        Await.untilWaiting(living);

        assertThat(skein.close(Duration.ofMillis(20))).isFalse();

        assertThat(living.isDone()).isFalse();
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> skein.spawn(() -> "too late"));
        release.countDown();
        assertThat(skein.close(LONG)).isTrue();
        assertThat(living.join()).isEqualTo("born after the bound");
    }

    @Test
    void aBoundOfNothingOrLessDoesNotWait() throws Exception {
        var _ = skein.spawn(() -> release.await());

        assertThat(skein.close(Duration.ZERO)).isFalse();
        assertThat(skein.close(Duration.ofSeconds(-1))).isFalse();

        release.countDown();
    }

    @Test
    void aCloseWithABoundThatIsInterruptedSaysSo() throws Exception {
        var _ = skein.spawn(() -> release.await());
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> skein.close(LONG));

        release.countDown();
    }

    @Test
    void aShutdownWithABoundInterruptsAndWaits() throws Exception {
        AtomicInteger interrupted = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            Coroutine<?> coroutine = skein.spawn(() -> {
                try {
                    new Semaphore(0).acquire();
                } catch (InterruptedException e) {
                    Thread.yield();
                    interrupted.incrementAndGet();
                }
            });
            Await.untilWaiting(coroutine);
        }

        assertThat(skein.shutdownNow(LONG)).isTrue();

        assertThat(interrupted).hasValue(20);
    }

    @Test
    void aShutdownReachesThoseWhoAreStillSpawned() throws Exception {
        Coroutine<?> parent = skein.spawn(() -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                var _ = skein.spawn(() -> {
                    assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> new Semaphore(0).acquire());
                });
            }
        });
        Await.untilWaiting(parent);

        assertThat(skein.shutdownNow(LONG)).isTrue();
    }

    @Test
    void aShutdownWhoseBoundPassesMayBeFollowedByAClose() throws Exception {
        Coroutine<?> stubborn = skein.spawn(() -> {
            boolean released = false;
            while (!released) {
                try {
                    release.await();
                    released = true;
                } catch (InterruptedException e) {
                    released = false;
                }
            }
        });
        Await.untilWaiting(stubborn);

        assertThat(skein.shutdownNow(Duration.ofMillis(20))).isFalse();
        assertThat(stubborn.isDone()).isFalse();

        release.countDown();
        skein.close();
        assertThat(stubborn.isDone()).isTrue();
    }

    private Thread loopInAThread() {
        Thread looper = Thread.ofPlatform().name("looper").start(() -> {
            try {
                skein.loop();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Await.untilWaiting(looper);
        return looper;
    }
}
