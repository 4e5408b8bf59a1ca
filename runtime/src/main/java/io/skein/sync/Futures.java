package io.skein.sync;

import io.skein.Awaiter;
import io.skein.Coroutine;
import io.skein.Resumer;
import io.skein.Task;
import io.skein.internal.Budget;
import io.skein.internal.task.Completion;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Bridges between coroutines and {@link CompletableFuture}. Safe for use by any thread.
 *
 * <pre>{@code
 * Reply reply = Futures.await(client.sendAsync(request));         // in a coroutine: it suspends
 * CompletableFuture<Integer> sum = Futures.of(skein.spawn(() -> add(numbers)));
 * }</pre>
 */
public final class Futures {
    private Futures() {}

    /**
     * Waits for a stage to end. A coroutine that waits suspends; any other thread blocks.
     *
     * @return the stage's value
     * @throws CompletionException if it failed; the cause is what it failed with
     * @throws CancellationException if it was cancelled
     * @throws InterruptedException if the waiting thread is interrupted; the stage goes on
     */
    public static <T extends @Nullable Object> T await(CompletionStage<T> stage) throws InterruptedException {
        Budget.spend();
        try {
            return stage.toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        }
    }

    /** A task whose value is that of a stage. */
    public static <T extends @Nullable Object> Task<T> task(CompletionStage<T> stage) {
        return Task.of(() -> await(stage));
    }

    /**
     * A future that ends as a coroutine does. Cancelling the future cancels the coroutine. What depends on the future runs on the
     * coroutine's thread when that ends, unless it is given an executor. A failure counts as heard.
     */
    public static <T extends @Nullable Object> CompletableFuture<T> of(Coroutine<T> coroutine) {
        Ending<T> future = new Ending<>(coroutine);
        if (!((Completion<?>) coroutine).tell(future)) {
            future.resume();
        }
        return future;
    }

    /**
     * A future of what an awaiter waits for. It is begun here; the awaiter's {@code resume} is called by whoever resumes it.
     * Cancelling the future asks the awaiter to {@linkplain Awaiter#cancel withdraw}; if that says no, the future goes on.
     */
    public static <T extends @Nullable Object> CompletableFuture<T> of(Awaiter<T> awaiter) {
        Awaited<T> future = new Awaited<>(awaiter);
        try {
            if (awaiter.ready() || !awaiter.suspend(future)) {
                future.resume();
            }
        } catch (Throwable e) { // what the await would throw
            future.completeExceptionally(e);
        }
        return future;
    }

    private static final class Ending<T extends @Nullable Object> extends CompletableFuture<T> implements Resumer {
        private final Coroutine<T> coroutine;

        Ending(Coroutine<T> coroutine) {
            this.coroutine = coroutine;
        }

        @Override
        public boolean resume() {
            return switch (coroutine.state()) {
                case SUCCESS -> complete(coroutine.resultNow());
                case FAILED -> completeExceptionally(coroutine.exceptionNow());
                case CANCELLED -> super.cancel(false);
                case RUNNING -> false;
            };
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            if (cancelled) {
                ((Completion<?>) coroutine).forget(this);
                coroutine.cancel(true);
            }
            return cancelled;
        }
    }

    private static final class Awaited<T extends @Nullable Object> extends CompletableFuture<T> implements Resumer {
        private final Awaiter<T> awaiter;
        private final AtomicBoolean resumed = new AtomicBoolean();

        Awaited(Awaiter<T> awaiter) {
            this.awaiter = awaiter;
        }

        @Override
        public boolean resume() {
            if (isDone() || !resumed.compareAndSet(false, true)) { // the first call counts
                return false;
            }
            try {
                return complete(awaiter.resume());
            } catch (InterruptedException e) {
                return super.cancel(false);
            } catch (Throwable e) { // what the await would throw
                return completeExceptionally(e);
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return !isDone() && awaiter.cancel() && super.cancel(mayInterruptIfRunning);
        }
    }
}
