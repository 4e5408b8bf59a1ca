package io.skein.internal.task;

import io.skein.Task;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A body that runs once, on the first thread that asks for its value. Any thread may call it.
 *
 * <p>The thread that claims the {@link Completion} runs the body and ends it; everybody else waits for that end.
 *
 * @param <T> the type of its value
 */
public final class LazyTask<T extends @Nullable Object> extends Completion<T> implements Task<T> {
    private final @Nullable String name;

    /** Read by the thread that has claimed the task, and dropped by it, for what the body holds. */
    private @Nullable Callable<? extends T> body;

    public LazyTask(@Nullable String name, Callable<? extends T> body) {
        this.name = name;
        this.body = body;
    }

    @Override
    public T await() throws InterruptedException {
        if (claim()) {
            try {
                return run();
            } catch (InterruptedException e) {
                throw e; // of the caller itself
            } catch (Throwable e) {
                return reported(endedBy(e));
            }
        }
        checkNotOwn();
        return awaitValue();
    }

    @Override
    public T call() throws Exception {
        if (claim()) {
            try {
                return run();
            } catch (Throwable e) {
                endedBy(e);
                throw e;
            }
        }
        checkNotOwn();
        Outcome ended = awaitOutcome();
        return switch (ended.state()) {
            case SUCCESS -> cast(ended.value());
            case CANCELLED -> throw cancellation(ended);
            default -> throw failureOf(ended);
        };
    }

    private T run() throws Exception {
        Callable<? extends T> claimed = body;
        body = null;
        try {
            T value = Objects.requireNonNull(claimed, "body").call();
            complete(value);
            return value;
        } catch (Throwable e) { // every failure is an outcome, errors too
            complete(Outcome.isInterruption(e) ? Outcome.cancelled(e) : Outcome.failure(e));
            throw e;
        }
    }

    private void checkNotOwn() {
        if (isRunByCaller()) {
            throw new IllegalStateException(name() + " awaits itself, so it would never end");
        }
    }

    /** The outcome of a run that threw. Where the stack was too short even to note it, it is noted here. */
    private Outcome endedBy(Throwable failure) {
        Outcome ended = outcome();
        if (ended == null) {
            ended = Outcome.failure(failure);
            complete(ended);
        }
        return ended;
    }

    private Exception failureOf(Outcome ended) {
        return switch (ended.failure()) {
            case Error error -> throw error;
            case Exception exception -> exception;
            case null, default -> new CompletionException(describe(ended), ended.failure());
        };
    }

    @Override
    public String name() {
        return name == null ? "task-" + Integer.toHexString(System.identityHashCode(this)) : name;
    }

    @Override
    public String toString() {
        return "Task[" + name() + ", " + state() + "]";
    }
}
