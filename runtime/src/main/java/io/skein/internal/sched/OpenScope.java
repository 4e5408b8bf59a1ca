package io.skein.internal.sched;

import io.skein.Coroutine;
import io.skein.Scope.Policy;
import io.skein.internal.Budget;
import io.skein.internal.Headroom;
import io.skein.internal.Suspension;
import io.skein.internal.loom.Containers;
import io.skein.internal.task.Outcome;
import io.skein.internal.time.Timer;
import io.skein.internal.time.Timers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The inside of a scope: its children, the wait until they have ended, and its place among its owner's scopes.
 *
 * <p>Any thread may fork and cancel; the owner alone waits and finishes.
 *
 * <p>The word {@code count} is the number of children that live, with the top bit set once no more may come. A child counts
 * from before it is started until its end was told to the policy. So a fork that races the finish is either waited for or
 * refused. It is counted out by its end, or by a fork that fails and discards it. A child is put on the list before its forker looks whether the scope is
 * cancelled, and a cancel first says so and then goes through the list: so each child hears of it.
 *
 * <p>The timeout is a timer of the owner's worker, armed when the scope is opened and taken back when it ends. When it fires, the
 * scope is {@code overdue}. Children that live then, and those that are still forked, make it {@code late}, which is what a join
 * tells of. A fork counts its child before it looks at {@code overdue}, and the timer sets that before it looks at the count: so
 * one of them sees the other.
 *
 * <p>The end: (1) no more children; (2) those that live are cancelled and awaited; (3) the JDK's group is left; (4) the owner
 * forgets the scope. An error, such as too little stack, may break it off anywhere. Until (4) the owner knows the scope and
 * ends it again, from the beginning: with the scope outside it, before it opens the next one, or at its own end.
 */
public final class OpenScope implements Containers.Owned {
    private static final int CLOSED = Integer.MIN_VALUE;
    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(OpenScope.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The owner's wait for its children. */
    private static final class Waiting extends Suspension {
        boolean untilNone(OpenScope scope, long deadlineNanos, boolean timed) {
            begin();
            scope.waiting = this; // before the look at the count: the last child looks here after it has counted out
            if (!scope.hasChildren()) {
                resume(); // and not looked at again: somebody may fork the next
            }
            return (timed ? awaitUntil(deadlineNanos) : await()) || !scope.hasChildren();
        }

        void untilNoneUninterruptibly(OpenScope scope) {
            begin();
            scope.waiting = this;
            if (!scope.hasChildren()) {
                resume();
            }
            awaitUninterruptibly();
        }
    }

    /** Cancels the children when the scope's time has passed. */
    private static final class Expiry extends Timer {
        private @Nullable OpenScope scope;

        Expiry(OpenScope scope) {
            this.scope = scope;
        }

        @Override
        protected void fire() {
            OpenScope open = scope;
            if (open != null) {
                Timers.aside(open::expireToEnd); // children's callbacks are anybody's code
            }
        }

        @Override
        protected void release() {
            scope = null;
        }
    }

    private final ScopeOwner owner;
    private final String name;
    private final Policy<Object, ?> policy;
    private final @Nullable OpenScope outer;
    private final @Nullable Object container;

    private volatile int count;

    /** The owner's latest wait; it may be over. */
    private volatile @Nullable Waiting waiting;

    private volatile boolean cancelled;

    /** Whether a cancel has failed, and may not have reached every child. */
    private volatile boolean brokenOffCancel;

    /** Whether the scope's time has passed, and whether a child lived then or was forked later. */
    private volatile boolean overdue;

    private volatile boolean late;

    /** Of the owner. */
    private @Nullable Expiry expiry;

    private final Children children = new Children();

    private volatile @Nullable Throwable policyFailure;

    /** Of the owner: whether its close was broken off by an error. */
    private boolean brokenOff;

    /** Of the owner: whether step 4 was done, and whether it has heard of the policy's failure. */
    private boolean ended;

    private boolean policyFailureTold;

    /** Opens a scope of the calling thread. */
    @SuppressWarnings("this-escape") // entered last, when everything else is set
    public OpenScope(String name, Policy<Object, ?> policy) {
        Headroom.toNest(); // what is opened is closed
        this.owner = ScopeOwner.current();
        endThoseBrokenOff(owner);
        this.name = name;
        this.policy = policy;
        this.outer = owner.innermost();
        this.container = Containers.enter(this);
        owner.innermost(this);
    }

    /** Sets the time at which the children are cancelled. Called by the owner, once. */
    public void expireAt(long deadlineNanos) {
        expiry = new Expiry(this);
        Timers.arm(expiry, deadlineNanos);
    }

    /** Cancels the children, because the scope's time has passed. */
    public void expire() {
        overdue = true;
        if (hasChildren()) {
            late = true;
        }
        cancel();
    }

    /** As {@link #expire}, where nobody could be told of a failure. */
    private void expireToEnd() {
        try {
            expire();
        } catch (OutOfMemoryError e) {
            cancelToEnd();
        }
    }

    /** Whether children lived when the scope's time had passed. */
    public boolean isLate() {
        return late;
    }

    @Override
    public String name() {
        return name;
    }

    public boolean isCancelled() {
        return cancelled;
    }

    public void checkOwner(String what) {
        if (Thread.currentThread() != owner.thread()) {
            throw new WrongThreadException(
                    what + " of scope " + name + ": only " + owner.name() + ", who opened it, may do that");
        }
    }

    // Children.

    /** Starts a child. */
    public <T extends @Nullable Object> Coroutine<T> fork(@Nullable String childName, Callable<? extends T> body) {
        Budget.spend();
        Headroom.toBegin(); // a child that is counted in is queued too, or counted out
        enter();
        SpawnedCoroutine<T> coroutine;
        try {
            coroutine = owner.scheduler().unstarted(childName, body);
        } catch (Throwable e) {
            leave();
            throw e;
        }
        try {
            Children.Child child = new Children.Child(this, coroutine);
            coroutine.tellFirst(child);
            children.push(child, living());
            if (overdue) {
                late = true;
            }
            if (cancelled) {
                coroutine.cancel(true);
            }
            policy.onFork(coroutine);
            coroutine.start(container);
        } catch (Throwable e) {
            if (coroutine.discard()) {
                leave();
            }
            throw e;
        }
        return coroutine;
    }

    private void enter() {
        int seen;
        do {
            seen = count;
            if (seen < 0) {
                throw new IllegalStateException("scope " + name + " is closed");
            }
        } while (!COUNT.compareAndSet(this, seen, seen + 1));
    }

    private void leave() {
        int left = (int) COUNT.getAndAdd(this, -1) - 1;
        if ((left & ~CLOSED) == 0) {
            Waiting owners = waiting;
            if (owners != null) {
                owners.resume();
            }
        }
    }

    private int living() {
        return count & ~CLOSED;
    }

    private boolean hasChildren() {
        return living() != 0;
    }

    /** Called by each child as it ends. */
    void ended(SpawnedCoroutine<?> coroutine) {
        try {
            boolean enough;
            try {
                if (coroutine.state() == Future.State.FAILED || (late && hasDisguise(coroutine))) {
                    children.noteFailure(coroutine);
                }
                enough = policy.onEnd(coroutine);
            } catch (Throwable e) { // a policy is the user's code, and memory may be short; the owner hears of it
                policyFailure = e;
                enough = true;
            }
            if (enough) {
                cancelToEnd();
            }
        } finally {
            leave(); // or the owner would wait for ever
        }
    }

    private static boolean hasDisguise(SpawnedCoroutine<?> coroutine) {
        Outcome end = coroutine.outcome();
        return end != null && end.disguise() != null;
    }

    @Override
    public Stream<Thread> threads() {
        List<Thread> threads = new ArrayList<>();
        forEachChild(child -> threads.add(child.thread()));
        return threads.stream().filter(Thread::isAlive);
    }

    /** Goes through the children that live, and some that have ended. Any thread may call it. */
    void forEachChild(Consumer<SpawnedCoroutine<?>> action) {
        children.forEach(action);
    }

    /** The scope that the owner had opened before this one, or null. */
    @Nullable
    OpenScope outer() {
        return outer;
    }

    /** Cancels every child that lives, and every one that is still forked. If it fails, it may be called again, and cancels the rest. */
    public void cancel() {
        if (!cancelled || brokenOffCancel) {
            cancelLiving();
        }
    }

    private void cancelLiving() {
        cancelled = true;
        brokenOffCancel = false;
        try {
            forEachChild(child -> child.cancel(true));
        } catch (Throwable e) { // no memory or stack
            brokenOffCancel = true;
            throw e;
        }
    }

    /** As {@link #cancel}, where nobody could be told of a failure: children and the owner would wait for ever. */
    private void cancelToEnd() {
        while (true) {
            try {
                cancel();
                return;
            } catch (OutOfMemoryError e) {
                Scheduler.awaitMemory();
            }
        }
    }

    // The owner.

    /**
     * Waits until no child lives, the deadline has passed, or the owner is interrupted.
     *
     * @return whether no child lives
     */
    public boolean awaitChildren(boolean timed, long deadlineNanos) throws InterruptedException {
        if (!hasChildren()) {
            return true;
        }
        Headroom.toBegin(); // a wait that is begun is known to the last child
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before the join of scope " + name);
        }
        boolean none = new Waiting().untilNone(this, deadlineNanos, timed);
        if (!none && Thread.interrupted()) {
            throw new InterruptedException("interrupted in the join of scope " + name);
        }
        return none;
    }

    /**
     * Notes that the owner is about to hear of its children's failures.
     *
     * @return those that it has not heard of yet; in a scope that is late also what cancelled children made of the
     *     interrupt
     */
    public List<Throwable> told() {
        List<SpawnedCoroutine<?>> untold = children.takeUntold();
        List<Throwable> failures = untold.isEmpty()
                ? List.of()
                : untold.stream().map(SpawnedCoroutine::failure).toList();
        Throwable failure = policyFailure;
        if (failure != null) {
            policyFailureTold = true;
            throw new CompletionException("the policy of scope " + name + " failed", failure);
        }
        return failures;
    }

    /**
     * Closes the scope for good: no more children, the rest of them cancelled and awaited, and first those of scopes that the
     * owner opened after this one.
     *
     * @throws IllegalStateException if that was not the innermost of what the owner has open; all the same it was closed
     */
    public void close() {
        if (ended) {
            return;
        }
        boolean innermost = owner.innermost() == this;
        boolean inBinding = finishWithThoseInside();
        if (!innermost) {
            throw new IllegalStateException(
                    "scope " + name + " was closed while a scope that was opened inside it was open");
        }
        if (!inBinding) {
            throw new IllegalStateException(
                    "scope " + name + " was closed where scoped values are bound that were not when it was opened");
        }
    }

    /** Ends the scope, and first those of the owner's that are inside it. */
    private boolean finishWithThoseInside() {
        try {
            for (OpenScope inner = owner.innermost(); inner != null && inner != this; inner = owner.innermost()) {
                inner.finish();
            }
            return finish();
        } catch (Throwable e) {
            brokenOff = true;
            throw e;
        }
    }

    /**
     * Ends those of the owner's scopes whose close was broken off: the code that opened them is done with them. A coroutine that runs
     * for long would have ever more of them, and each new scope and each fork would go through all.
     */
    private static void endThoseBrokenOff(ScopeOwner owner) {
        for (OpenScope scope = owner.innermost(); scope != null; scope = scope.outer) {
            if (scope.brokenOff) {
                scope.finishWithThoseInside();
            }
        }
    }

    /**
     * Ends the innermost scope.
     *
     * @return whether nothing of the JDK's was opened since and left open, such as a binding of scoped values
     */
    boolean finish() {
        endChildren();
        boolean last = Containers.leave(container);
        forget();
        return last;
    }

    /** The JDK leaves the group itself. */
    @Override
    public void endForcibly() {
        endChildren();
        forget();
    }

    private void endChildren() {
        Headroom.toBegin(); // to be called again, if it fails
        if (expiry != null) {
            expiry.cancel();
        }
        COUNT.getAndBitwiseOr(this, CLOSED);
        if (hasChildren()) {
            cancelLiving(); // whoever cancelled before may have been stopped half-way
            new Waiting().untilNoneUninterruptibly(this);
        }
    }

    private void forget() {
        ended = true;
        owner.innermost(outer);
        List<SpawnedCoroutine<?>> untold = children.takeUntold();
        for (int i = 0;
                i < untold.size();
                i++) { // an iterator would take memory, and the scope is not ended again from here on
            SpawnedCoroutine<?> failed = untold.get(i);
            if (failed.state() == Future.State.FAILED && !failed.isFailureTold()) {
                owner.scheduler().unheard(failed, failed.exceptionNow());
            }
        }
        Throwable failure = policyFailure;
        if (failure != null && !policyFailureTold) {
            owner.scheduler().unheard(owner.coroutine(), failure);
        }
    }
}
