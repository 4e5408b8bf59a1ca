package io.skein.internal.task;

import io.skein.Resumer;
import io.skein.internal.Budget;
import io.skein.internal.FirstOf;
import io.skein.internal.Suspension;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future.State;
import org.jspecify.annotations.Nullable;

/**
 * Something that ends once, and those who want to be told. Any thread may call it.
 *
 * <p>One word says it all:
 *
 * <pre>
 *   null             it has not ended, and nobody wants to be told
 *   a Link           somebody wants to be told; below it are the others
 *   anything else    the end: an Outcome, or a value as it is, if it cannot be taken for one of the above
 * </pre>
 *
 * <p>The step to the outcome takes the whole stack, and tells everyone on it. Whoever comes later sees the outcome instead of
 * pushing. So everyone is told exactly once, or sees it. Somebody who gives up leaves a link whose resumer answers false:
 * that is how a failure that nobody heard is known. {@link #completeUnlessAwaited} gives some of this up. Such links are dead. One that others stand on is dropped when as many
 * links were pushed as were alive at the last such clearing: so there are never many more dead links than live ones, and
 * the clearing costs each push a constant.
 *
 * @param <T> the type of the value
 */
public abstract class Completion<T extends @Nullable Object> {
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Completion.class, "state", Object.class);
            MethodHandles.lookup()
                    .ensureInitialized(Outcome.class); // the first one may be of a stack that has overflown
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** So many links are pushed before somebody looks for dead ones. */
    private static final int FEW = 16;

    /**
     * One who wants to be told.
     *
     * @param below the others
     * @param room how many more may be pushed before dead links are looked for
     */
    private record Link(Resumer resumer, @Nullable Link below, int room) {
        boolean isDead() {
            return resumer instanceof Suspension wait && !wait.isWaiting();
        }

        boolean tell(Completion<?> ended) {
            return resumer instanceof FirstOf wait ? wait.resumeBy(ended) : resumer.resume();
        }
    }

    /** A thread that waits for the end. */
    private static final class Joining extends Suspension {
        /** Starts to wait, and returns false if the end has come. */
        boolean enlist(Completion<?> completion) {
            begin();
            return completion.tell(this);
        }

        /** Returns whether it was told. */
        boolean join(Completion<?> completion, boolean timed, long deadlineNanos) {
            if (!enlist(completion)) {
                return true;
            }
            boolean told = timed ? awaitUntil(deadlineNanos) : await();
            if (!told) {
                completion.forget(this);
            }
            return told;
        }
    }

    static {
        rehearse();
    }

    /**
     * Ends one that somebody waits for. The first end that matters may be that of a body which found the heap full, and a call that is made for
     * the first time takes memory to link.
     */
    private static void rehearse() {
        Completion<Object> sample = new Completion<>() {
            @Override
            public String name() {
                return "rehearsal";
            }
        };
        new Joining().enlist(sample);
        sample.complete(Outcome.failure(new IllegalStateException("rehearsal")));
    }

    private volatile @Nullable Object state;

    /** What errors call it. */
    public abstract String name();

    /** The end, or null if it has not come. */
    public final @Nullable Outcome outcome() {
        Object seen = state;
        if (!isEnd(seen)) {
            return null;
        }
        return seen instanceof Outcome outcome ? outcome : Outcome.value(seen);
    }

    private static boolean isEnd(@Nullable Object seen) {
        return seen != null && !(seen instanceof Link);
    }

    /**
     * Ends it. To be called once.
     *
     * @param end an outcome, or the value of a success as it is
     * @return whether somebody heard
     */
    protected final boolean complete(@Nullable Object end) {
        boolean heard = false;
        RuntimeException unchecked = null;
        Error error = null;
        Object ended = isEnd(end) ? end : ended(end);
        Link told = STATE.getAndSet(this, ended) instanceof Link top ? top : null;
        for (; told != null; told = told.below) {
            try {
                heard |= told.tell(this);
            } catch (RuntimeException e) { // a resumer may be anybody's; the others want to be told all the same
                unchecked = e;
            } catch (Error e) {
                error = e;
            }
        }
        if (error != null) {
            throw error;
        }
        if (unchecked != null) {
            throw unchecked;
        }
        return heard;
    }

    private static Outcome ended(@Nullable Object value) {
        try {
            return Outcome.value(value);
        } catch (OutOfMemoryError e) {
            return Outcome.failure(e);
        }
    }

    /**
     * As {@link #complete}, but with a plain write where nobody waits yet. Who begins to wait between the look and the write is
     * overwritten, and not told: for those whose waiters look again by themselves. To be called once.
     */
    protected final void completeUnlessAwaited(@Nullable Object end) {
        if (state == null && isEnd(end)) {
            STATE.setRelease(this, end);
        } else {
            complete(end);
        }
    }

    /**
     * Has a resumer called at the end, by the thread that ends it. The resumer answers whether it cares.
     *
     * @return false if the end has come already; then the resumer is not called
     */
    public final boolean tell(Resumer resumer) {
        while (true) {
            Object seen = state;
            if (isEnd(seen)) {
                return false;
            }
            if (STATE.compareAndSet(this, seen, pushed(resumer, seen))) {
                return true;
            }
        }
    }

    /** As {@link #tell}, for the one who has just made it and whom nobody else knows of yet. */
    public final void tellFirst(Resumer resumer) {
        STATE.set(this, new Link(resumer, null, FEW));
    }

    /**
     * Forgets everyone who wants to be told, because it will never begin.
     *
     * @return false if it has ended all the same, and they were told
     */
    public final boolean discard() {
        Object seen = state;
        while (!isEnd(seen)) {
            if (STATE.compareAndSet(this, seen, null)) {
                return true;
            }
            seen = state;
        }
        return false;
    }

    private static Link pushed(Resumer resumer, @Nullable Object onto) {
        if (!(onto instanceof Link top)) {
            return new Link(resumer, null, FEW);
        }
        if (top.room > 0) {
            return new Link(resumer, top, top.room - 1);
        }
        List<Resumer> alive = new ArrayList<>();
        for (Link link = top; link != null; link = link.below) {
            if (!link.isDead()) {
                alive.add(link.resumer);
            }
        }
        Link rest = null;
        int room = Math.max(FEW, alive.size());
        for (Resumer other : alive.reversed()) { // the first who came stays lowest
            rest = new Link(other, rest, room);
        }
        return new Link(resumer, rest, room);
    }

    /** Takes a resumer off that need not be told. It may stay for a while where others stand on top of it. */
    public final void forget(Resumer resumer) {
        Object seen = state;
        if (seen instanceof Link link && link.resumer == resumer) {
            STATE.compareAndSet(this, seen, link.below);
        }
    }

    /** Waits for the end, which is not lost to an interrupt if it has come, and returns the value or tells of another end. */
    protected final T awaitValue() throws InterruptedException {
        Object ended = awaitEnd(false, 0);
        if (ended == null) {
            throw new AssertionError("a wait without a deadline ended without an outcome");
        }
        return ended instanceof Outcome outcome ? reported(outcome) : cast(ended);
    }

    /** Waits for the end, which is not lost to an interrupt if it has come. */
    protected final Outcome awaitOutcome() throws InterruptedException {
        awaitEnd(false, 0);
        Outcome ended = outcome();
        if (ended == null) {
            throw new AssertionError("a wait without a deadline ended without an outcome");
        }
        return ended;
    }

    /** Waits at most until the deadline, and then returns null. */
    protected final @Nullable Outcome awaitOutcome(long deadlineNanos) throws InterruptedException {
        awaitEnd(true, deadlineNanos);
        return outcome();
    }

    private @Nullable Object awaitEnd(boolean timed, long deadlineNanos) throws InterruptedException {
        Budget.spend();
        Object seen = state;
        if (isEnd(seen)) {
            return seen;
        }
        if (isCaller()) {
            throw selfAwait();
        }
        if (Thread.interrupted()) {
            throw interrupted();
        }
        if (!new Joining().join(this, timed, deadlineNanos) && Thread.interrupted()) {
            throw interrupted();
        }
        seen = state;
        return isEnd(seen) ? seen : null;
    }

    private InterruptedException interrupted() {
        InterruptedException exception = new InterruptedException("interrupted while waiting for " + name());
        addWhereabouts(exception);
        return exception;
    }

    /** Adds to an exception of somebody who gives up waiting where that is which has not ended. */
    protected void addWhereabouts(Exception exception) {}

    /** Whether the caller is what has to end first, so that it must not wait for the end. */
    public boolean isCaller() {
        return false;
    }

    /** What a caller gets that would wait for its own end. */
    public final IllegalStateException selfAwait() {
        return new IllegalStateException(name() + " awaits itself, so it would never end");
    }

    /** The value; or what tells somebody who waited of another end, with the place of the wait and that of the failure. */
    protected final T reported(Outcome ended) {
        return switch (ended.state()) {
            case SUCCESS -> cast(ended.value());
            case CANCELLED -> throw cancellation(ended);
            default -> {
                failureTold();
                throw new CompletionException(describe(ended), ended.failure());
            }
        };
    }

    /** Called when somebody who waited is about to be told of the failure. */
    protected void failureTold() {}

    protected final CancellationException cancellation(Outcome ended) {
        CancellationException exception = new CancellationException(name() + " was cancelled");
        exception.initCause(ended.failure());
        return exception;
    }

    /** What happened, for the message of an exception. */
    protected final String describe(Outcome ended) {
        return name() + " failed: " + Outcome.origin(ended.failure());
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // the body's type is T, which may be nullable
    protected final T cast(@Nullable Object value) {
        return (T) value;
    }

    public final boolean isDone() {
        return isEnd(state);
    }

    public final State state() {
        Object seen = state;
        if (!isEnd(seen)) {
            return State.RUNNING;
        }
        return seen instanceof Outcome outcome ? outcome.state() : State.SUCCESS;
    }
}
