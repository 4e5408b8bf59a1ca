package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Awaiter;
import io.skein.Coroutine;
import io.skein.Resumer;
import io.skein.ThreadKind.Running;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Coroutines, tasks and awaiters as futures, and futures as what they wait for. */
@Crowd.Each
class FuturesTest extends CrowdTest {
    private final Channel<String> gate = Channel.rendezvous();

    FuturesTest(Crowd crowd) {
        super(crowd);
    }

    @Test
    void awaitReturnsTheValueOfAFuture() throws Exception {
        CompletableFuture<String> future = new CompletableFuture<>();
        Running<String> waiting = startWaiting(() -> Futures.await(future));

        future.complete("value");

        assertThat(waiting.get()).isEqualTo("value");
        assertThat(call(() -> Futures.task(future).await())).isEqualTo("value");
    }

    @Test
    void awaitThrowsTheFailureOfAFuture() {
        IllegalStateException failure = new IllegalStateException("failed");

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> Futures.await(CompletableFuture.failedFuture(failure)))
                .havingCause()
                .isSameAs(failure);
    }

    @Test
    void awaitThrowsTheCancellationOfAFuture() {
        CompletableFuture<String> future = new CompletableFuture<>();
        future.cancel(false);

        assertThatExceptionOfType(CancellationException.class).isThrownBy(() -> Futures.await(future));
    }

    @Test
    void anInterruptEndsTheAwaitAndNotTheFuture() {
        CompletableFuture<String> future = new CompletableFuture<>();
        Running<String> waiting = startWaiting(() -> Futures.await(future));

        waiting.thread().interrupt();

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(waiting::get)
                .withCauseInstanceOf(InterruptedException.class);
        assertThat(future.isDone()).isFalse();
        assertThat(future.getNumberOfDependents()).isZero();
    }

    @Test
    void aFutureEndsWithItsCoroutine() throws Exception {
        CompletableFuture<String> future = Futures.of(skein.spawn(gate::receive));
        assertThat(future.isDone()).isFalse();

        run(() -> gate.send("value"));

        assertThat(future.thenApply(value -> value + "!").get()).isEqualTo("value!");
    }

    @Test
    void aCoroutineThatHasEndedIsAFutureThatHas() throws Exception {
        Coroutine<String> coroutine = skein.spawn(() -> "value");
        coroutine.join();

        assertThat(Futures.of(coroutine).isDone()).isTrue();
    }

    @Test
    void aFutureFailsWithItsCoroutineAndCountsAsHeard() {
        IllegalStateException failure = new IllegalStateException("failed");
        CompletableFuture<String> future = Futures.of(skein.spawn(() -> {
            gate.receive();
            throw failure;
        }));
        Await.until("the coroutine goes on", () -> gate.trySend("go"));

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(future::get)
                .havingCause()
                .isSameAs(failure);
    }

    @Test
    void cancellingTheFutureCancelsTheCoroutine() {
        Coroutine<String> coroutine = skein.spawn(gate::receive);

        assertThat(Futures.of(coroutine).cancel(true)).isTrue();

        assertThatExceptionOfType(CancellationException.class).isThrownBy(coroutine::join);
    }

    @Test
    void cancellingTheCoroutineCancelsTheFuture() {
        Coroutine<String> coroutine = skein.spawn(gate::receive);
        CompletableFuture<String> future = Futures.of(coroutine);

        coroutine.cancel(true);

        assertThatExceptionOfType(CancellationException.class).isThrownBy(future::join);
        assertThat(future.isCancelled()).isTrue();
    }

    /** Waits until its resumer is called. */
    private static final class Handed implements Awaiter<String> {
        private final AtomicReference<@Nullable Resumer> resumer = new AtomicReference<>();

        Resumer resumer() {
            return Objects.requireNonNull(resumer.get());
        }

        @Override
        public boolean suspend(Resumer given) {
            resumer.set(given);
            return true;
        }

        @Override
        public String resume() {
            return "resumed";
        }
    }

    @Test
    void aFutureEndsWithItsAwaiter() throws Exception {
        Handed awaiter = new Handed();
        CompletableFuture<String> future = Futures.of(awaiter);
        assertThat(future.isDone()).isFalse();

        assertThat(awaiter.resumer().resume()).isTrue();

        assertThat(future.get()).isEqualTo("resumed");
        assertThat(awaiter.resumer().resume()).isFalse();
    }

    @Test
    void anAwaiterIsResumedOnceThoughItsResumerIsCalledTwiceAtOnce() {
        AtomicInteger resumed = new AtomicInteger();
        AtomicReference<@Nullable Resumer> resumer = new AtomicReference<>();
        CompletableFuture<Integer> future = Futures.of(new Awaiter<Integer>() {
            @Override
            public boolean suspend(Resumer given) {
                resumer.set(given);
                return true;
            }

            @Override
            public Integer resume() {
                int times = resumed.incrementAndGet();
                if (times == 1) {
                    assertThat(Objects.requireNonNull(resumer.get()).resume()).isFalse();
                }
                return times;
            }
        });

        Objects.requireNonNull(resumer.get()).resume();

        assertThat(future.join()).isEqualTo(1);
        assertThat(resumed).hasValue(1);
    }

    @Test
    void cancellingTheFutureWithdrawsTheAwaiter() {
        Handed awaiter = new Handed();
        CompletableFuture<String> future = Futures.of(awaiter);

        assertThat(future.cancel(true)).isTrue();

        assertThat(awaiter.resumer().resume()).isFalse();
    }
}
