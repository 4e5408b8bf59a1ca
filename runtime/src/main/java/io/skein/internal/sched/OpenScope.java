package io.skein.internal.sched;

import io.skein.Coroutine;
import io.skein.Resumer;
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
 * refused. The list of children is guarded by this object's monitor, which no worker takes. A child is put on the list before it
 * looks whether the scope is cancelled, and a cancel first says so and then goes through the list: so each child hears of it.
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

    /** A child that lives, and its place in the list of them. Told when the child ends. */
    private final class Child implements Resumer {
        private final SpawnedCoroutine<?> coroutine;
        private @Nullable Child before;
        private @Nullable Child after;

        Child(SpawnedCoroutine<?> coroutine) {
            this.coroutine = coroutine;
        }

        @Override
        public boolean resume() {
            ended(this);
            return true;
        }
    }

    /** The owner's wait for its children. */
    private static final class Waiting extends Suspension {
        boolean untilNone(OpenScope scope, long deadlineNanos, boolean timed) {
            begin();
            scope.waiting = this; // before the look at the count: the last child looks here after it has counted out
            if (scope.children() == 0) {
                abandon();
            }
            boolean told = timed ? awaitUntil(deadlineNanos) : await();
            scope.waiting = null;
            return told || scope.children() == 0;
        }

        void untilNoneUninterruptibly(OpenScope scope) {
            begin();
            scope.waiting = this;
            if (scope.children() == 0) {
                abandon();
            }
            awaitUninterruptibly();
            scope.waiting = null;
        }
    }

    private final SpawnedCoroutine<?> owner;
    private final String name;
    private final Policy<Object, ?> policy;
    private final @Nullable OpenScope outer;
    private final @Nullable Object container;

    private volatile int count;
    private volatile @Nullable Waiting waiting;
    private volatile boolean cancelled;

    private @Nullable Child first;

    /** Children that have failed since the owner last heard of its children. Guarded like the list. */
    private List<SpawnedCoroutine<?>> untold = List.of();

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
        SpawnedCoroutine<T> coroutine;
        Child child;
        try {
            coroutine = owner.scheduler().unstarted(childName, body);
            child = new Child(coroutine);
        } catch (Throwable e) {
            leave();
            throw e;
        }
        link(child);
        try {
            if (cancelled) {
                coroutine.cancel(true);
            }
            policy.onFork(coroutine);
            coroutine.tell(child);
            coroutine.start(container);
        } catch (Throwable e) {
            unlink(child);
            leave();
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

    private int children() {
        return count & ~CLOSED;
    }

    private synchronized void link(Child child) {
        child.after = first;
        if (first != null) {
            first.before = child;
        }
        first = child;
    }

    private synchronized void unlink(Child child) {
        if (child.before != null) {
            child.before.after = child.after;
        } else {
            first = child.after;
        }
        if (child.after != null) {
            child.after.before = child.before;
        }
    }

    /** Called by each child as it ends. */
    private void ended(Child child) {
        SpawnedCoroutine<?> coroutine = child.coroutine;
        unlink(child);
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
    }

    private synchronized void noteFailure(SpawnedCoroutine<?> coroutine) {
        if (untold.isEmpty()) {
            untold = new ArrayList<>();
        }
        untold.add(coroutine);
    }

    private synchronized List<SpawnedCoroutine<?>> takeUntold() {
        List<SpawnedCoroutine<?>> taken = untold;
        untold = List.of();
        return taken;
    }

    private synchronized List<SpawnedCoroutine<?>> living() {
        List<SpawnedCoroutine<?>> living = new ArrayList<>();
        for (Child child = first; child != null; child = child.after) {
            living.add(child.coroutine);
        }
        return living;
    }

    @Override
    public Stream<Thread> threads() {
        return living().stream().map(Coroutine::thread);
    }

    /** Cancels every child that lives, and every one that is still forked. */
    public void cancel() {
        if (!cancelled) {
            cancelled = true;
            living().forEach(child -> child.cancel(true));
        }
    }

    // The owner.

    /**
     * Waits until no child lives, the deadline has passed, or the owner is interrupted.
     *
     * @return whether no child lives
     */
    public boolean awaitChildren(boolean timed, long deadlineNanos) throws InterruptedException {
        if (children() == 0) {
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
