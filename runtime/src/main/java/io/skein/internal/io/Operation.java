package io.skein.internal.io;

import io.skein.internal.Headroom;
import io.skein.internal.Suspension;
import io.skein.internal.linux.Errno;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One request to the kernel and the wait for it; used again and again, by one thread at a time.
 *
 * <p>Invariants, besides those of every {@link Suspension}. The wait is never abandoned: the waiter does not return from
 * {@link #perform} before the kernel has answered for good, interrupted or not. So no buffer is handed back while the
 * kernel may write to it, and no descriptor that the kernel delivers is lost. From the start to the end of a run only the
 * driver's thread writes here; otherwise only the waiter does. {@code run} counts the uses, so that a request to cancel
 * that comes late cannot hit the next use.
 */
public abstract class Operation extends Suspension {
    private static final VarHandle CANCEL_QUEUED;
    private static final VarHandle CANCEL_WANTED;

    static {
        try {
            CANCEL_QUEUED = MethodHandles.lookup().findVarHandle(Operation.class, "cancelQueued", boolean.class);
            CANCEL_WANTED = MethodHandles.lookup().findVarHandle(Operation.class, "cancelWanted", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Written by the waiter before it begins, so whoever sees it wait reads it right. */
    private int run;

    /** The run that was last cancelled. Of the driver's thread. */
    private int cancelledRun;

    // Of CancelRequests, which tells how they are used.
    volatile int cancelWanted;
    volatile boolean cancelQueued;

    @Nullable
    Operation nextToCancel;

    private @Nullable Lane lane;

    /** Looks after the deadlines of those runs that have one; made for the first of them. */
    private @Nullable Limit limit;

    private int result;
    private int flags;

    /**
     * Starts the operation and waits for its end. An interrupt asks the kernel to cancel, and the end is waited for
     * all the same; the interrupt status is set again on return.
     *
     * @return what the kernel answered: a count, a descriptor, or a negated error number; {@code -ECANCELED} when
     *     the thread was interrupted before or during the operation and the operation did nothing
     */
    public final int perform(Submitter submitter) {
        return perform(submitter, Deadline.NONE);
    }

    /**
     * As {@link #perform(Submitter)}, but asks the kernel to cancel when a time has come. What has ended by itself before
     * the kernel was asked is an end like any other.
     *
     * @param deadlineNanos a time of {@link System#nanoTime}, or {@link Deadline#NONE}
     * @return besides what the other says, {@code -ETIME} when time was up and the operation did nothing
     */
    public final int perform(Submitter submitter, long deadlineNanos) {
        if (Thread.currentThread().isInterrupted()) {
            return -Errno.ECANCELED.number();
        }
        note(deadlineNanos);
        start(submitter);
        Limit noted = limit;
        if (noted == null) {
            await();
            return result;
        }
        arm(noted);
        await();
        return noted.isOver() && isCancelled(result) ? -Errno.ETIME.number() : result;
    }

    private void note(long deadlineNanos) {
        Limit known = limit;
        if (known == null && deadlineNanos != Deadline.NONE) {
            known = new Limit(this);
            limit = known;
        }
        if (known != null) {
            known.set(deadlineNanos);
        }
    }

    /**
     * Sees to it that the run ends in time. Where that cannot be, for want of memory, the run is cancelled, and its end is waited for: the
     * kernel has the buffers.
     */
    private void arm(Limit noted) {
        try {
            noted.look();
        } catch (Throwable e) {
            if (endsInVain(takenLane())) {
                throw e;
            }
        }
    }

    /** Whether a run that was cancelled did nothing; an interrupt that came as well goes first. */
    private static boolean isCancelled(int result) {
        return didNothing(result) && !Thread.currentThread().isInterrupted();
    }

    private static boolean didNothing(int result) {
        return Errno.ECANCELED.is(result) || Errno.isBrokenOff(result);
    }

    /** Gives the timer back that a deadline may have left behind. The operation is not in flight and not used again. */
    public final void forgetDeadline() {
        Limit known = limit;
        if (known != null) {
            known.stop();
        }
    }

    /** As {@link #perform}, for what must happen whether or not somebody interrupts: giving a descriptor back. */
    public final int performUninterruptibly(Submitter submitter) {
        note(Deadline.NONE);
        start(submitter);
        awaitUninterruptibly();
        return result;
    }

    /** The way to the driver for the next run. Called by the waiter. */
    protected Lane chooseLane(Submitter submitter) {
        return submitter.lane();
    }

    private void start(Submitter submitter) {
        Headroom.toEnd(); // what is started is waited for
        Lane chosen = chooseLane(submitter);
        lane = chosen;
        run++;
        begin();
        try {
            chosen.start(this);
        } catch (Throwable e) { // the driver took nothing
            abandon();
            throw e;
        }
    }

    private Lane takenLane() {
        Lane taken = lane;
        if (taken == null) {
            throw new IllegalStateException("the operation was never started");
        }
        return taken;
    }

    /** Asks the kernel to cancel. Its answer is waited for. */
    @Override
    protected final boolean withdraw() {
        takenLane().cancel(this, run);
        return false;
    }

    /**
     * Waits to be woken. Where the thread cannot give way to others, for lack of stack or memory or because a native
     * frame pins it, waiting as usual would leave the operation to a driver that nobody drives: then this thread drives.
     */
    @Override
    protected final void pause() {
        Lane taken = takenLane();
        Limit noted = limit;
        if (noted != null && noted.hasRung()) { // another park may have used up what it was told by
            expire(taken);
            if (!isWaiting()) {
                return; // cancelled in place: nobody will unpark this thread
            }
        }
        try {
            LockSupport.park();
            look();
            standInIfHeld();
        } catch (Throwable e) {
            if (endsInVain(taken)) {
                throw e;
            }
        }
    }

    @Override
    public final void look() {
        expire(takenLane());
        Limit noted = limit;
        if (noted != null && !noted.isOver()) {
            noted.look(); // a timer that had to be followed by another may have found no memory for it
        }
    }

    /**
     * Cancels a run whose waiter cannot wait, and drives until it is over. What it has done meanwhile, such as to accept a connection or to
     * take bytes off a stream, is a result like any other, and not to be lost.
     *
     * @return whether it has done nothing
     */
    private boolean endsInVain(Lane taken) {
        taken.cancel(this, run);
        while (isWaiting()) {
            try {
                taken.driveInPlace();
            } catch (Throwable e) {
                // No memory for some other operation, or none to drive with: this one is in flight all the same.
            }
        }
        return didNothing(result);
    }

    /** Has the run cancelled, once, if its time is up. */
    private void expire(Lane taken) {
        Limit noted = limit;
        if (noted != null && isWaiting() && noted.passes()) {
            taken.cancel(this, run);
        }
    }

    /**
     * Cancels the run that is in flight, on behalf of somebody who is not the waiter. Where the waiter is just about
     * to start, nothing is cancelled: whoever calls this has published before that there is nothing to start for,
     * and the operation looks for that when it starts.
     */
    public final void cancelFromOutside() {
        Headroom.toEnd();
        VarHandle.fullFence(); // what the caller published before the look at the state
        if (isWaiting()) {
            takenLane().cancel(this, run);
        }
    }

    /**
     * Notes that a run is to be cancelled. Called on the driver's thread, which alone can end a run: so an operation
     * that is seen in flight here stays so until the caller has dealt with it.
     *
     * @return whether that run was in flight and nobody had asked before
     */
    public final boolean tryCancel(int wantedRun) {
        // The state is read first: a later run began after its number was written.
        if (!isWaiting() || run != wantedRun || cancelledRun == wantedRun) {
            return false;
        }
        cancelledRun = wantedRun;
        return true;
    }

    /** Takes back what {@link #tryCancel} noted, because the driver could not do it. Called on the driver's thread. */
    final void cancelFailed() {
        cancelledRun = run - 1;
    }

    /** Notes the run that is to be cancelled, unless a later one is noted already: who asks may come late. */
    final void wantCancel(int wantedRun) {
        int noted;
        do {
            noted = cancelWanted;
        } while (wantedRun - noted > 0 && !CANCEL_WANTED.compareAndSet(this, noted, wantedRun));
    }

    /** Whether the caller is the one who has to queue this for a cancel. */
    final boolean claimCancelQueue() {
        return CANCEL_QUEUED.compareAndSet(this, false, true);
    }

    /** Ends the run. Called on the driver's thread, once, when the kernel will not touch the buffers again. */
    public final void complete(int kernelResult, int kernelFlags) {
        result = kernelResult;
        flags = kernelFlags;
        end();
    }

    /** Which run is the last that was begun. Called on the driver's thread, about one that is in flight. */
    public final int run() {
        return run;
    }

    /**
     * Ends a run that could not be started or continued, unless it was brought to its end before that failed. Called on the driver's
     * thread, on behalf of a waiter that is elsewhere.
     */
    public final void fail(int failedRun) {
        // The state is read first, as by tryCancel.
        if (isWaiting() && run == failedRun) {
            complete(-Errno.ENOMEM.number(), 0);
        }
    }

    /** The flags of the last completion, as the driver knows them. */
    protected final int completionFlags() {
        return flags;
    }
}
