package io.skein.internal.sched;

import io.skein.Coroutine;
import io.skein.internal.loom.Loom;
import java.io.InterruptedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A coroutine: a virtual thread, the executor that the thread is scheduled by, and its outcome.
 *
 * <p>The JDK hands a thread's continuation to the thread's executor whenever the thread is to run. Being that
 * executor, the coroutine knows that it is the one to queue. A virtual thread that a library starts inside the coroutine
 * inherits the executor; its continuation is another, by which it is told apart, and it is adopted.
 *
 * <p>Completion. {@code outcome} is null until the body has ended and is written once. {@code waiters} is a stack of
 * waiting threads; after the outcome is written it is exchanged for {@link #CLOSED}, and everyone found on it is
 * unparked. A waiter pushes itself, then looks at the outcome before it parks: so either it sees the outcome or it
 * is on the stack when the stack is closed. A waiter that gives up takes its name off the stack's entry, then looks at the
 * outcome once more: so a failure that no waiter took is known to be unheard.
 *
 * @param <T> the type of its value
 */
public final class SpawnedCoroutine<T extends @Nullable Object> implements Coroutine<T>, Executor, Runnable {
    private static final Waiter CLOSED = new Waiter(null, null);
    private static final VarHandle WAITERS;

    static {
        try {
            WAITERS = MethodHandles.lookup().findVarHandle(SpawnedCoroutine.class, "waiters", Waiter.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** A thread that waits for a coroutine's end. */
    private static final class Waiter {
        /** Null after the waiter has given up. */
        volatile @Nullable Thread thread;

        @Nullable
        Waiter next;

        Waiter(@Nullable Thread thread, @Nullable Waiter next) {
            this.thread = thread;
            this.next = next;
        }
    }

    private final Scheduler scheduler;

    /** Where it runs under pinning, and starts under stealing; null where any worker will do. */
    private final @Nullable Worker home;

    private final Thread thread;

    /** Whether somebody will wait for the outcome, though perhaps not yet. */
    private final boolean awaited;

    /** What the JDK runs the thread by. Written when the thread starts, before it is first queued. */
    private @Nullable Runnable continuation;

    /** Whether it was counted in before the thread's start; only where {@link #execute} cannot do that. */
    private boolean entered;

    private volatile @Nullable Outcome outcome;
    private volatile @Nullable Waiter waiters;
    private volatile boolean cancelRequested;

    SpawnedCoroutine(
            Scheduler scheduler,
            @Nullable Worker home,
            @Nullable String name,
            boolean awaited,
            Callable<? extends T> body) {
        this.scheduler = scheduler;
        this.home = home;
        this.awaited = awaited;
        Runnable run = () -> runBody(body);
        if (Loom.available()) {
            thread = Loom.newVirtualThread(this, name, run);
        } else {
            Thread.Builder builder = Thread.ofVirtual();
            thread = (name == null ? builder : builder.name(name)).unstarted(() -> {
                if (!entered) { // somebody else started the thread
                    scheduler.enter(this);
                }
                scheduler.callAsCurrent(run);
            });
        }
    }

    void start() {
        if (!Loom.available()) {
            scheduler.enter(this);
            entered = true;
        }
        thread.start();
    }

    /** Queues a continuation: this coroutine's own, or that of a thread which inherited this executor. */
    @Override
    public void execute(Runnable runnable) {
        Runnable own = continuation;
        if (own == runnable) {
            scheduler.crew().schedule(this, home);
        } else if (own == null) {
            scheduler.enter(this);
            continuation = runnable;
            scheduler.crew().scheduleFirst(this, home);
        } else {
            scheduler.adopted().admit(runnable);
            scheduler.crew().schedule(runnable, home);
        }
    }

    /** Resumes the coroutine on the calling worker, until it gives way or ends. */
    @Override
    public void run() {
        Runnable own = continuation;
        if (own != null) {
            own.run();
        }
    }

    private void runBody(Callable<? extends T> body) {
        try {
            Outcome ended;
            try {
                ended = Outcome.value(body.call());
            } catch (Throwable e) { // every failure is an outcome, errors too
                ended = cancelRequested && isInterruption(e) ? Outcome.cancelled(e) : Outcome.failure(e);
            }
            complete(ended);
        } finally {
            scheduler.leave(this);
        }
    }

    /** Whether a failure is an interrupt's doing, directly or as the cause of what was thrown. */
    private static boolean isInterruption(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InterruptedException
                    || cause instanceof InterruptedIOException
                    || cause instanceof CancellationException
                    || cause instanceof ClosedByInterruptException) {
                return true;
            }
        }
        return false;
    }

    private void complete(Outcome ended) {
        outcome = ended;
        boolean heard = awaited;
        for (Waiter waiter = (Waiter) WAITERS.getAndSet(this, CLOSED); waiter != null; waiter = waiter.next) {
            Thread waiting = waiter.thread;
            if (waiting != null) {
                heard = true;
                LockSupport.unpark(waiting);
            }
        }
        Throwable failure = ended.failure();
        if (!heard && ended.state() == State.FAILED && failure != null) {
            scheduler.unheard(this, failure);
        }
    }

    /** Waits at most until the deadline; returns null when it has passed. */
    private @Nullable Outcome await(long deadlineNanos, boolean timed) throws InterruptedException {
        Outcome seen = outcome;
        if (seen != null) {
            return seen; // an end that has come is not lost to an interrupt
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while waiting for " + name());
        }
        Waiter self = new Waiter(Thread.currentThread(), null);
        Waiter top;
        do {
            top = waiters;
            if (top == CLOSED) {
                return outcome;
            }
            self.next = top;
        } while (!WAITERS.compareAndSet(this, top, self));
        try {
            while ((seen = outcome) == null) {
                if (timed) {
                    long left = deadlineNanos - System.nanoTime();
                    if (left <= 0) {
                        self.thread = null; // then a last look: the end has either seen that, or is seen here
                        return outcome;
                    }
                    LockSupport.parkNanos(this, left);
                } else {
                    LockSupport.park(this);
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException("interrupted while waiting for " + name());
                }
            }
            return seen;
        } finally {
            self.thread = null;
            WAITERS.compareAndSet(this, self, self.next); // most often it is still on top
        }
    }

    @Override
    public T join() throws InterruptedException {
        Outcome ended = await(0, false);
        if (ended == null) {
            throw new AssertionError("a wait without a deadline ended without an outcome");
        }
        return switch (ended.state()) {
            case SUCCESS -> cast(ended.value());
            case CANCELLED -> throw cancellation(ended);
            default -> throw new CompletionException(name() + " failed: " + ended.failure(), ended.failure());
        };
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        Outcome ended = await(0, false);
        if (ended == null) {
            throw new AssertionError("a wait without a deadline ended without an outcome");
        }
        return report(ended);
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        Outcome ended = await(System.nanoTime() + unit.toNanos(timeout), true);
        if (ended == null) {
            throw new TimeoutException(name() + " has not ended after " + timeout + " " + unit);
        }
        return report(ended);
    }

    private T report(Outcome ended) throws ExecutionException {
        return switch (ended.state()) {
            case SUCCESS -> cast(ended.value());
            case CANCELLED -> throw cancellation(ended);
            default -> throw new ExecutionException(name() + " failed: " + ended.failure(), ended.failure());
        };
    }

    private CancellationException cancellation(Outcome ended) {
        CancellationException exception = new CancellationException(name() + " was cancelled");
        exception.initCause(ended.failure());
        return exception;
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // the body's type is T, which may be nullable
    private T cast(@Nullable Object value) {
        return (T) value;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (isDone()) {
            return false;
        }
        cancelRequested = true;
        thread.interrupt();
        return true;
    }

    @Override
    public boolean isCancelled() {
        return state() == State.CANCELLED;
    }

    @Override
    public boolean isDone() {
        return outcome != null;
    }

    @Override
    public State state() {
        Outcome ended = outcome;
        return ended == null ? State.RUNNING : ended.state();
    }

    @Override
    public T resultNow() {
        Outcome ended = outcome;
        if (ended == null || ended.state() != State.SUCCESS) {
            throw new IllegalStateException(name() + " has no value: " + state());
        }
        return cast(ended.value());
    }

    @Override
    public Throwable exceptionNow() {
        Outcome ended = outcome;
        if (ended == null || ended.state() != State.FAILED || ended.failure() == null) {
            throw new IllegalStateException(name() + " has no failure: " + state());
        }
        return ended.failure();
    }

    @Override
    public String name() {
        String name = thread.getName();
        return name.isEmpty() ? "coroutine-" + thread.threadId() : name;
    }

    @Override
    public Thread thread() {
        return thread;
    }

    @Override
    public String toString() {
        return "Coroutine[" + name() + ", " + state() + "]";
    }
}
