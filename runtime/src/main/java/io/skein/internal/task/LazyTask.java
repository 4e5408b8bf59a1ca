package io.skein.internal.task;

import io.skein.Task;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A body that runs once, on the first thread that asks for its value. Any thread may call it.
 *
 * <p>The thread that claims the task runs the body and ends it; everybody else waits for that end.
 *
 * @param <T> the type of its value
 */
public final class LazyTask<T extends @Nullable Object> extends Completion<T> implements Task<T> {
    private static final VarHandle CLAIMED;

    static {
        try {
            CLAIMED = MethodHandles.lookup().findVarHandle(LazyTask.class, "claimed", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable String name;

    /** Whether somebody runs the body, or has; an int, because a swap of it is the cheapest of all claims. */
    private volatile int claimed;

    /**
     * The body until the task is claimed, then the thread that runs it, then null. Plain: who reads a thread here reads its own
     * write, or another's, which is not itself.
     */
    private @Nullable Object work;

    public LazyTask(@Nullable String name, Callable<? extends T> body) {
        this.name = name;
        this.work = body;
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

    private boolean claim() {
        return claimed == 0 && (int) CLAIMED.getAndSet(this, 1) == 0;
    }

    @SuppressWarnings("unchecked") // nothing else is there
    private T run() throws Exception {
        Callable<? extends T> body = (Callable<? extends T>) Objects.requireNonNull(work);
        work = Thread.currentThread();
        try {
            T value = body.call();
            work = null;
            complete(value);
            return value;
        } catch (Throwable e) { // every failure is an outcome, errors too
            work = null;
            complete(Outcome.isInterruption(e) ? Outcome.cancelled(e) : Outcome.failure(e));
            throw e;
        }
    }

    private void checkNotOwn() {
        if (work == Thread.currentThread()) {
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
