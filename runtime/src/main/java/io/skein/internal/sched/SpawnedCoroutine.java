package io.skein.internal.sched;

import io.skein.CancelToken;
import io.skein.Coroutine;
import io.skein.internal.Headroom;
import io.skein.internal.loom.Containers;
import io.skein.internal.loom.Loom;
import io.skein.internal.loom.ThreadTurns;
import io.skein.internal.loom.Unparking;
import io.skein.internal.task.Completion;
import io.skein.internal.task.Outcome;
import io.skein.internal.time.Durations;
import java.lang.Thread.UncaughtExceptionHandler;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A coroutine: a virtual thread, what the thread runs, the executor that it is scheduled by, and its outcome. All in one
 * object, since there may be millions.
 *
 * <p>The JDK hands a thread's continuation to the thread's executor whenever the thread is to run. Being that
 * executor, the coroutine knows that it is the one to queue. A virtual thread that a library starts inside the coroutine
 * inherits the executor; its continuation is another, by which it is told apart, and it is adopted.
 *
 * @param <T> the type of its value
 */
public final class SpawnedCoroutine<T extends @Nullable Object> extends Completion<T>
        implements Coroutine<T>, ScopeOwner, Executor, Unparking.ParkedQueue, Runnable {
    private static final VarHandle CANCELLATION;
    private static final VarHandle INNERMOST;
    private static final VarHandle NEXT_IN_RESERVE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            CANCELLATION = lookup.findVarHandle(SpawnedCoroutine.class, "cancellation", Cancellation.class);
            INNERMOST = lookup.findVarHandle(SpawnedCoroutine.class, "innermost", OpenScope.class);
            NEXT_IN_RESERVE = lookup.findVarHandle(SpawnedCoroutine.class, "nextInReserve", SpawnedCoroutine.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Who started it. */
    enum Origin {
        SPAWNER,

        /** Somebody who was given its thread by a factory, and expects of it what threads do. */
        THREAD_FACTORY,

        /** A spawner who waits for the outcome, though perhaps not yet. */
        WAITER,

        /** A scope: it is on that one's list, and who owns the scope hears of the outcome. */
        SCOPE
    }

    private final Scheduler scheduler;

    /** Where it runs under pinning, and starts under stealing; null where any worker will do. */
    private final @Nullable Worker home;

    private final Thread thread;

    /** Null once it runs. */
    private @Nullable Callable<? extends T> body;

    private final Origin origin;

    /** What the JDK runs the thread by. Written when the thread starts, before it is first queued. */
    private @Nullable Runnable continuation;

    /** Whether it was counted in before the thread's start; only where {@link #execute} cannot do that. */
    private boolean entered;

    /** Made when somebody cancels the coroutine, asks for its token, or shields a part of it. */
    private volatile @Nullable Cancellation cancellation;

    /** Whether somebody who waited for it was told of its failure. */
    private volatile boolean failureTold;

    /**
     * The scope that was opened last of those that are open. Only the coroutine itself writes it, by release: a fork, which comes
     * later, makes it visible with the child.
     */
    private volatile @Nullable OpenScope innermost;

    /** The limit that was set last of those that it is under. Written by the coroutine itself. */
    private volatile @Nullable TimeLimit innermostLimit;

    /** See {@link ReserveQueue}. */
    @SuppressWarnings("UnusedVariable") // through NEXT_IN_RESERVE
    private volatile @Nullable SpawnedCoroutine<?> nextInReserve;

    SpawnedCoroutine(
            Scheduler scheduler,
            @Nullable Worker home,
            @Nullable String name,
            Origin origin,
            Callable<? extends T> body) {
        this.scheduler = scheduler;
        this.home = home;
        this.origin = origin;
        this.body = body;
        if (Loom.available()) {
            thread = Loom.newVirtualThread(this, name, this);
        } else {
            Thread.Builder builder = Thread.ofVirtual();
            thread = (name == null ? builder : builder.name(name)).unstarted(() -> {
                if (!entered) { // somebody else started the thread
                    scheduler.enter(this);
                }
                Scheduler.callAsCurrent(this, this);
            });
        }
    }

    /** The coroutine that the calling thread is. */
    public static SpawnedCoroutine<?> current() {
        SpawnedCoroutine<?> current = Scheduler.currentCoroutine();
        if (current == null) {
            throw new IllegalStateException(
                    Thread.currentThread() + " is not a coroutine: call this inside Skein.spawn or Skein.blockOn");
        }
        return current;
    }

    @Override
    public Scheduler scheduler() {
        return scheduler;
    }

    @Override
    public SpawnedCoroutine<?> coroutine() {
        return this;
    }

    /** Starts it as a member of a group of {@link Containers}, or of none. */
    void start(@Nullable Object container) {
        if (Loom.available()) {
            Containers.start(thread, container);
            return;
        }
        scheduler.enter(this);
        entered = true;
        try {
            thread.start();
        } catch (Throwable e) { // it will not leave by itself
            scheduler.leave(this);
            throw e;
        }
    }

    /** Queues a continuation: this coroutine's own, or that of a thread which inherited this executor. */
    @Override
    public void execute(Runnable runnable) {
        Runnable own = continuation;
        if (own == runnable) {
            schedule(runnable);
        } else if (own == null) {
            scheduler.enter(this);
            continuation = runnable;
            try {
                scheduler.crew().scheduleFirst(runnable, home);
            } catch (Throwable e) { // the thread does not start
                scheduler.leave(this);
                throw e;
            }
        } else {
            scheduleAdopted(runnable);
        }
    }

    private void scheduleAdopted(Runnable runnable) {
        AdoptedThreads.Adopted adopted = scheduler.adopted().find(runnable);
        if (adopted == null) { // who wakes one has no stack to spare, and has changed something already
            Headroom.toBegin(); // a thread that is counted in is queued too
            adopted = scheduler.adopted().adopt(runnable);
        }
        try {
            scheduler.crew().schedule(adopted, home);
        } catch (Throwable e) { // no memory
            adopted.notQueued();
            throw e;
        }
    }

    /**
     * Queues this coroutine itself, whose thread is parked: a worker that comes to it calls {@link #goOn}. The caller may be a coroutine that
     * is not pinned meanwhile, as the JDK pins it around {@link #execute}; so nothing in here may make it give way.
     */
    @Override
    public boolean queue(Thread parked) {
        if (parked != thread) { // it inherited this executor
            return false;
        }
        schedule(this);
        return true;
    }

    /** Queues this coroutine to run again, as itself or by its continuation. Without memory for that, it goes to a reserve. */
    private void schedule(Runnable runnable) {
        try {
            scheduler.crew().schedule(runnable, home);
        } catch (OutOfMemoryError e) {
            scheduler.crew().scheduleInReserve(this, home);
        }
    }

    /** Claims the link for a {@link ReserveQueue}; false if it is in one. Any thread may call it. */
    boolean claimReserve() {
        return NEXT_IN_RESERVE.compareAndSet(this, null, this);
    }

    /** Called by who has claimed it, before the coroutine is in the queue. */
    void nextInReserve(SpawnedCoroutine<?> next) {
        nextInReserve = next;
    }

    /** Gives the claim back and returns what follows in the queue: itself if nothing does. Called by the worker that polls. */
    SpawnedCoroutine<?> leaveReserve() {
        return (SpawnedCoroutine<?>) NEXT_IN_RESERVE.getAndSet(this, null);
    }

    /** What the JDK runs the thread by, which has started. */
    Runnable continuation() {
        return Objects.requireNonNull(continuation);
    }

    /**
     * Runs the thread on from where it has parked. Called by a worker.
     *
     * @param fromReserve whether it comes from a {@link ReserveQueue}: then it may also have been unparked by the JDK, or have yielded
     */
    void goOn(boolean fromReserve) {
        Unparking.run(thread);
        if (fromReserve) {
            continuation().run(); // does nothing where the thread is not to run
        }
    }

    /** What the thread does from its first step to its last. Called by the thread. */
    @Override
    public void run() {
        try {
            Object ended;
            try {
                ended = takeBody().call();
            } catch (Throwable e) { // every failure is an outcome, errors too
                ended = isCancelledBy(e) ? Outcome.cancelled(e) : Outcome.failure(e);
            }
            try {
                closeScopes();
            } finally {
                end(ended); // whatever happens, or who waits for it would do so for ever
            }
        } finally {
            scheduler.leave(this);
        }
    }

    private Callable<? extends T> takeBody() {
        Callable<? extends T> taken = body;
        if (taken == null) {
            throw new IllegalStateException(name() + " runs as the coroutine's thread, and not otherwise");
        }
        body = null; // what it holds may end before it does
        return taken;
    }

    @Override
    public @Nullable OpenScope innermost() {
        return innermost;
    }

    @Override
    public void innermost(@Nullable OpenScope scope) {
        INNERMOST.setRelease(this, scope);
    }

    /** Whether it is a child of a scope. */
    boolean isForked() {
        return origin == Origin.SCOPE;
    }

    /** Goes through the children of its scopes: those that live, and some that have ended. Any thread may call it. */
    void forEachChild(Consumer<SpawnedCoroutine<?>> action) {
        for (OpenScope scope = innermost; scope != null; scope = scope.outer()) {
            scope.forEachChild(action);
        }
    }

    @Nullable
    TimeLimit innermostLimit() {
        return innermostLimit;
    }

    void innermostLimit(@Nullable TimeLimit limit) {
        innermostLimit = limit;
    }

    /** Closes what the body has left open. Where there is no memory for it, waits for some: nobody else would cancel the children. */
    private void closeScopes() {
        for (OpenScope left = innermost; left != null; left = innermost) {
            try {
                left.finish();
            } catch (OutOfMemoryError e) {
                Scheduler.awaitMemory();
            }
        }
    }

    /**
     * Ends it, though the heap may be full: a call that is made for the first time takes memory to link. Then it waits for some, since whoever
     * waits for the end would do so for ever.
     */
    private void end(@Nullable Object ended) {
        boolean heard = origin == Origin.WAITER || origin == Origin.SCOPE;
        while (!isDone()) {
            try {
                endCancellation();
                heard |= complete(ended);
            } catch (OutOfMemoryError e) {
                Scheduler.awaitMemory();
            }
        }
        endCancellation(); // made meanwhile, by somebody who may not have seen the end
        if (!heard && state() == State.FAILED) {
            tellUncaught(exceptionNow());
        }
    }

    /**
     * Tells the thread's handler, here as the JDK does it. Without one, or if that fails, the runtime's failure handler
     * hears.
     */
    private void tellUncaught(Throwable failure) {
        UncaughtExceptionHandler handler = uncaughtExceptionHandler();
        if (handler == null) {
            scheduler.unheard(this, failure);
            return;
        }
        try {
            handler.uncaughtException(thread, failure);
        } catch (Throwable e) { // the handler is anybody's code
            if (e != failure) {
                e.addSuppressed(failure);
            }
            scheduler.unheard(this, e);
        }
    }

    /** The handler that somebody has set: on the thread; or for all, if the coroutine was asked for as a thread. */
    private @Nullable UncaughtExceptionHandler uncaughtExceptionHandler() {
        UncaughtExceptionHandler handler = thread.getUncaughtExceptionHandler();
        if (handler instanceof ThreadGroup) { // what a thread says that has none of its own
            return origin == Origin.THREAD_FACTORY ? Thread.getDefaultUncaughtExceptionHandler() : null;
        }
        return handler;
    }

    private void endCancellation() {
        Cancellation made = cancellation;
        if (made != null) {
            made.end();
        }
    }

    // Waiting for it.

    @Override
    public T join() throws InterruptedException {
        return awaitValue();
    }

    /** The body of a generator that has a thread of its own runs on behalf of the coroutine that consumes it. */
    @Override
    public boolean isCaller() {
        return thread == Thread.currentThread() || thread == ThreadTurns.principal();
    }

    @Override
    protected void addWhereabouts(Exception exception) {
        CoroutineStack.addTo(exception, this);
    }

    @Override
    protected void failureTold() {
        failureTold = true;
    }

    /** Whether a join or a get has told of its failure. */
    boolean isFailureTold() {
        return failureTold;
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        return gotten(awaitOutcome());
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        Outcome ended = awaitOutcome(System.nanoTime() + Math.max(0, unit.toNanos(timeout)));
        if (ended == null) {
            TimeoutException exception =
                    new TimeoutException(name() + " has not ended after " + Durations.text(unit.toNanos(timeout)));
            addWhereabouts(exception);
            throw exception;
        }
        return gotten(ended);
    }

    private T gotten(Outcome ended) throws ExecutionException {
        if (ended.state() == State.FAILED) {
            failureTold();
            throw new ExecutionException(describe(ended), ended.failure());
        }
        return reported(ended);
    }

    @Override
    public boolean isCancelled() {
        return state() == State.CANCELLED;
    }

    @Override
    public T resultNow() {
        Outcome ended = outcome();
        if (ended == null || ended.state() != State.SUCCESS) {
            throw new IllegalStateException(name() + " has no value: " + state());
        }
        return cast(ended.value());
    }

    @Override
    public Throwable exceptionNow() {
        Outcome ended = outcome();
        if (ended == null || ended.state() != State.FAILED || ended.failure() == null) {
            throw new IllegalStateException(name() + " has no failure: " + state());
        }
        return ended.failure();
    }

    /** What it threw, failed or cancelled. */
    Throwable failure() {
        Outcome ended = outcome();
        return Objects.requireNonNull(ended == null ? null : ended.failure());
    }

    // Cancelling it.

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return !isDone() && cancellation().request();
    }

    @Override
    public CancelToken cancelToken() {
        return cancellation();
    }

    Cancellation cancellation() {
        Cancellation made = cancellation;
        if (made == null) {
            made = new Cancellation(this);
            if (!CANCELLATION.compareAndSet(this, null, made)) {
                return cancellation();
            }
            if (isDone()) {
                made.end();
            }
        }
        return made;
    }

    /** Whether a cancellation has interrupted it. Called by the coroutine. */
    boolean isCancelDelivered() {
        Cancellation made = cancellation;
        return made != null && made.isDelivered();
    }

    /**
     * Whether a failure of its body means that it is cancelled: it was asked to stop, and the failure may come of the
     * interrupt. Called by the coroutine.
     */
    public boolean isCancelledBy(Throwable failure) {
        if (!isToStop() || !Outcome.mayComeOfInterrupt(failure)) {
            return false;
        }
        Cancellation made = cancellation;
        return made == null || !made.heldBackFrom(failure) || Outcome.isInterruption(failure);
    }

    /** Whether it was cancelled, or is about to be with everyone else: others may have been before, and ended. */
    private boolean isToStop() {
        Cancellation made = cancellation;
        return (made != null && made.isCancelled()) || scheduler.isInterrupting();
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

    /** Cheaper than the JVM's, which it has to make up and to note in the object. */
    @Override
    public int hashCode() {
        return Long.hashCode(thread.threadId());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public String toString() {
        return "Coroutine[" + name() + ", " + state() + "]";
    }
}
