package io.skein.internal.sched;

import io.skein.Coroutine;
import io.skein.Scope.Policy;
import io.skein.internal.Suspension;
import io.skein.internal.loom.Containers;
import io.skein.internal.task.Outcome;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The inside of a scope: its children, the wait until they have ended, and its place among its owner's scopes.
 *
 * <p>Any thread may fork and cancel; the owner alone waits and finishes.
 *
 * <p>The word {@code count} is the number of children that live, with the top bit set once no more may come. A child counts
 * from before it is started until its end was told to the policy. So a fork that races the finish is either waited for or
 * refused. A child is put on the list before its forker looks whether the scope is cancelled, and a cancel first says so and
 * then goes through the list: so each child hears of it.
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
            if (scope.living() == 0) {
                abandon();
            }
            return (timed ? awaitUntil(deadlineNanos) : await()) || scope.living() == 0;
        }

        void untilNoneUninterruptibly(OpenScope scope) {
            begin();
            scope.waiting = this;
            if (scope.living() == 0) {
                abandon();
            }
            awaitUninterruptibly();
        }
    }

    private final SpawnedCoroutine<?> owner;
    private final String name;
    private final Policy<Object, ?> policy;
    private final @Nullable OpenScope outer;
    private final @Nullable Object container;

    private volatile int count;

    /** The owner's latest wait; it may be over. */
    private volatile @Nullable Waiting waiting;

    private volatile boolean cancelled;

    private final Children children = new Children();

    /** Children that have failed since the owner last heard of its children. Written under this object's monitor. */
    private volatile List<SpawnedCoroutine<?>> untold = List.of();

    private volatile @Nullable Throwable policyFailure;

    /** Opens a scope of the calling coroutine. */
    @SuppressWarnings("this-escape") // entered last, when everything else is set
    public OpenScope(String name, Policy<Object, ?> policy) {
        this.owner = SpawnedCoroutine.current();
        this.name = name;
        this.policy = policy;
        this.outer = owner.innermost();
        this.container = Containers.enter(this);
        owner.innermost(this);
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
        enter();
        try {
            SpawnedCoroutine<T> coroutine = owner.scheduler().unstarted(childName, body);
            children.push(coroutine, living());
            if (cancelled) {
                coroutine.cancel(true);
            }
            policy.onFork(coroutine);
            coroutine.tell(() -> ended(coroutine));
            coroutine.start(container);
            return coroutine;
        } catch (Throwable e) {
            leave();
            throw e;
        }
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

    /** Called by each child as it ends. Returns true: the failure is the scope's to tell. */
    private boolean ended(SpawnedCoroutine<?> coroutine) {
        if (coroutine.state() == Future.State.FAILED) {
            noteFailure(coroutine);
        }
        boolean enough;
        try {
            enough = policy.onEnd(coroutine);
        } catch (Throwable e) { // a policy is the user's code; the owner hears of it
            policyFailure = e;
            enough = true;
        }
        if (enough) {
            cancel();
        }
        leave();
        return true;
    }

    private synchronized void noteFailure(SpawnedCoroutine<?> coroutine) {
        if (untold.isEmpty()) {
            untold = new ArrayList<>();
        }
        untold.add(coroutine);
    }

    private List<SpawnedCoroutine<?>> takeUntold() {
        if (untold.isEmpty()) {
            return List.of();
        }
        synchronized (this) {
            List<SpawnedCoroutine<?>> taken = untold;
            untold = List.of();
            return taken;
        }
    }

    @Override
    public Stream<Thread> threads() {
        List<Thread> threads = new ArrayList<>();
        children.forEach(child -> threads.add(child.thread()));
        return threads.stream().filter(Thread::isAlive);
    }

    /** Cancels every child that lives, and every one that is still forked. */
    public void cancel() {
        if (!cancelled) {
            cancelled = true;
            children.forEach(child -> child.cancel(true));
        }
    }

    // The owner.

    /**
     * Waits until no child lives, the deadline has passed, or the owner is interrupted.
     *
     * @return whether no child lives
     */
    public boolean awaitChildren(boolean timed, long deadlineNanos) throws InterruptedException {
        if (living() == 0) {
            return true;
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before the join of scope " + name);
        }
        boolean none = new Waiting().untilNone(this, deadlineNanos, timed);
        if (!none && Thread.interrupted()) {
            throw new InterruptedException("interrupted in the join of scope " + name);
        }
        return none;
    }

    /** Notes that the owner is about to hear of its children's failures from the policy. */
    public void told() {
        takeUntold();
        Throwable failure = policyFailure;
        if (failure != null) {
            throw new CompletionException("the policy of scope " + name + " failed", failure);
        }
    }

    /**
     * Closes the scope for good: no more children, the rest of them cancelled and awaited, and first those of scopes that the
     * owner opened after this one.
     *
     * @return whether this scope was the innermost
     */
    public boolean close() {
        if (count < 0) {
            return true;
        }
        boolean innermost = owner.innermost() == this;
        for (OpenScope inner = owner.innermost(); inner != null && inner != this; inner = owner.innermost()) {
            inner.finish();
        }
        finish();
        return innermost;
    }

    /** As {@link #close}, for the innermost scope. */
    void finish() {
        endForcibly();
        if (!Containers.leave(container)) {
            throw new IllegalStateException(
                    "scope " + name + " was closed where scoped values are bound that were not when it was opened");
        }
    }

    @Override
    public void endForcibly() {
        int before = (int) COUNT.getAndBitwiseOr(this, CLOSED);
        if (before < 0) {
            return;
        }
        if (before > 0) {
            cancel();
            new Waiting().untilNoneUninterruptibly(this);
        }
        owner.innermost(outer);
        for (SpawnedCoroutine<?> failed : takeUntold()) {
            Outcome ended = failed.outcome();
            if (ended != null && ended.failure() != null) {
                owner.scheduler().unheard(failed, ended.failure());
            }
        }
    }
}
