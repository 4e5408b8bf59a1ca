package io.skein.internal.task;

import io.skein.Task;
import io.skein.internal.Headroom;
import io.skein.internal.Suspension;
import io.skein.internal.loom.ThreadTurns;
import io.skein.internal.time.TimedPark;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A body that runs once, on the first thread that asks for its value. Any thread may call it.
 *
 * <p>The thread that claims the task runs the body and ends it; everybody else waits for that end. Most tasks are awaited once, so
 * the claim is the one atomic step that everybody pays for. The end is a plain write, if nobody is seen to wait: a waiter who
 * comes between that look and the write is not told. So waiters look again, after a moment and then after twice as long each
 * time. Who is seen is told at once. A waiter enlists once, before it rests for the first time, so it is overlooked only if it came
 * after the look: when the write is done, it has rested no longer than the other thread stood still in between, and finds the
 * end within about as long again, or a moment.
 *
 * @param <T> the type of its value
 */
public final class LazyTask<T extends @Nullable Object> extends Completion<T> implements Task<T> {
    private static final VarHandle WORK;

    static {
        try {
            WORK = MethodHandles.lookup().findVarHandle(LazyTask.class, "work", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** See {@link #interruptsKnownBy}. */
    private static volatile Predicate<Throwable> interrupts = _ -> false;

    /** How long a waiter rests before it looks again for the first time. */
    private static final long MOMENT_NANOS = 1_000_000;

    /** A wait for the end of a run, which the waiter is told of or sees by itself. */
    private static final class Looking extends Suspension {
        private final LazyTask<?> task;

        /** For how long it rests now. Doubled only when that time is over, and not when somebody unparks it for no reason. */
        private long patience = MOMENT_NANOS;

        private TimedPark rest = new TimedPark(System.nanoTime() + patience, this);

        Looking(LazyTask<?> task) {
            this.task = task;
        }

        /** Returns whether it is done; false if an interrupt came before. */
        boolean untilDone() {
            begin();
            boolean done = !task.tell(this) || await();
            if (!done) {
                task.forget(this);
            }
            return done;
        }

        @Override
        protected void pause() {
            try {
                rest.park();
                if (task.isDone()) {
                    resume();
                } else if (rest.isOver()) {
                    patience *= 2;
                    rest = new TimedPark(System.nanoTime() + patience, this);
                }
            } catch (Throwable e) {
                if (abandon()) {
                    throw e;
                }
            }
        }
    }

    private final @Nullable String name;

    /**
     * The body until the task is claimed, then the thread that runs it, then null. Read plainly: who sees a body that is not there
     * any more fails to claim it, and who sees a thread reads its own write, or another's, which is not itself.
     */
    private @Nullable Object work;

    public LazyTask(@Nullable String name, Callable<? extends T> body) {
        this.name = name;
        this.work = body instanceof Thread ? (Callable<T>) body::call : body; // a thread here is one that runs the body
    }

    @Override
    public T await() throws InterruptedException {
        Callable<? extends T> body = claim();
        if (body != null) {
            try {
                return run(body);
            } catch (InterruptedException e) {
                throw e; // of the caller itself
            } catch (Throwable e) {
                return reportedToRunner(endedBy(e));
            }
        }
        awaitOther();
        return awaitValue();
    }

    /** The runner is told what the body has thrown, also where that counts as a cancellation for everybody else. */
    private T reportedToRunner(Outcome ended) {
        if (ended.disguise() != null) {
            throw new CompletionException(describe(ended), ended.failure());
        }
        return reported(ended);
    }

    @Override
    public T call() throws Exception {
        Callable<? extends T> body = claim();
        if (body != null) {
            try {
                return run(body);
            } catch (Throwable e) {
                endedBy(e);
                throw e;
            }
        }
        awaitOther();
        Outcome ended = awaitOutcome();
        return switch (ended.state()) {
            case SUCCESS -> cast(ended.value());
            case CANCELLED -> throw cancellation(ended);
            default -> throw failureOf(ended);
        };
    }

    /** The body, which is the caller's to run; or null if it is another's. */
    @SuppressWarnings("unchecked") // what is neither null nor a thread is the body
    private @Nullable Callable<? extends T> claim() {
        Object seen = work;
        if (seen == null || seen instanceof Thread) {
            return null;
        }
        Headroom.toBegin(); // who claims it ends it, and tells who waits
        return WORK.compareAndSet(this, seen, Thread.currentThread()) ? (Callable<? extends T>) seen : null;
    }

    private T run(Callable<? extends T> body) throws Exception {
        T value;
        try {
            value = body.call();
        } catch (Throwable e) { // every failure is an outcome, errors too
            work = null;
            complete(isInterruption(e) ? Outcome.cancelled(e) : Outcome.failure(e));
            throw e;
        }
        work = null;
        completeUnlessAwaited(value);
        return value;
    }

    private static boolean isInterruption(Throwable thrown) {
        return Outcome.isInterruption(thrown) || interrupts.test(thrown);
    }

    /**
     * Sets what tells of a body's failure that does not tell of an interrupt itself whether it counts as the doing of one: that of a
     * cancellation, or of a limit, which the calling thread is under. Tasks know neither.
     */
    public static void interruptsKnownBy(Predicate<Throwable> known) {
        interrupts = known;
    }

    /** Waits for the end of a run that is another's. */
    private void awaitOther() throws InterruptedException {
        if (isCaller()) {
            throw selfAwait();
        }
        if (isDone()) {
            return;
        }
        if (Thread.interrupted() || (!new Looking(this).untilDone() && Thread.interrupted())) {
            throw new InterruptedException("interrupted while waiting for " + name());
        }
    }

    /** The body of a generator that has a thread of its own runs on behalf of the thread that consumes it. */
    @Override
    public boolean isCaller() {
        Object runner = work;
        return runner != null && (runner == Thread.currentThread() || runner == ThreadTurns.principal());
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
