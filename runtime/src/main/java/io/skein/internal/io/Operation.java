package io.skein.internal.io;

import io.skein.internal.linux.Errno;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One request to the kernel and the thread that waits for it; used again and again, by one thread at a time.
 *
 * <pre>
 *   IDLE       -> IN_FLIGHT    perform: the waiter, before it hands the operation to a driver
 *   IN_FLIGHT  -> CANCELLING   tryCancel: the driver's thread, at the waiter's request
 *   IN_FLIGHT  -> IDLE         complete: the driver's thread, at the final completion
 *   CANCELLING -> IDLE         the same
 * </pre>
 *
 * <p>Invariants. The waiter does not return from {@link #perform} before the state is IDLE again, interrupted or
 * not: so no buffer is handed back while the kernel may write to it, and no descriptor that the kernel delivers is
 * lost. Between IN_FLIGHT and IDLE only the driver's thread writes; otherwise only the waiter does. The store of
 * IDLE releases {@code result} and {@code flags} to the waiter. {@code run} counts the uses, so that a request to
 * cancel that comes late cannot hit the next use.
 */
public abstract class Operation {
    private static final int IDLE = 0;
    private static final int IN_FLIGHT = 1;
    private static final int CANCELLING = 2;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Operation.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int state;

    /** Written by the waiter before it releases IN_FLIGHT, so whoever has acquired that state reads it right. */
    private int run;

    private @Nullable Thread waiter;
    private @Nullable Lane lane;
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
        if (Thread.currentThread().isInterrupted()) {
            return -Errno.ECANCELED.number();
        }
        Lane taken = begin(submitter);
        while (state != IDLE) {
            park(taken);
            if (Thread.currentThread().isInterrupted()) {
                cancelAndAwait(taken);
            }
        }
        return result;
    }

    /** As {@link #perform}, for what must happen whether or not somebody interrupts: giving a descriptor back. */
    public final int performUninterruptibly(Submitter submitter) {
        Lane taken = begin(submitter);
        awaitUninterruptibly(taken, Thread.interrupted());
        return result;
    }

    /** The way to the driver for the next run. Called by the waiter. */
    protected Lane chooseLane(Submitter submitter) {
        return submitter.lane();
    }

    private Lane begin(Submitter submitter) {
        Lane chosen = chooseLane(submitter);
        lane = chosen;
        waiter = Thread.currentThread();
        run++;
        STATE.setRelease(this, IN_FLIGHT);
        try {
            chosen.start(this);
        } catch (Throwable e) { // the driver took nothing
            STATE.setRelease(this, IDLE);
            throw e;
        }
        return chosen;
    }

    private void cancelAndAwait(Lane taken) {
        boolean interrupted = Thread.interrupted(); // parking with the status set would spin
        taken.cancel(this, run);
        awaitUninterruptibly(taken, interrupted);
    }

    private void awaitUninterruptibly(Lane taken, boolean interrupted) {
        boolean restore = interrupted;
        while (state != IDLE) {
            park(taken);
            restore |= Thread.interrupted();
        }
        if (restore) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits to be woken. Where the thread cannot give way to others, for lack of stack or memory or because a native
     * frame pins it, waiting as usual would leave the operation to a driver that nobody drives: then this thread drives.
     */
    private void park(Lane taken) {
        try {
            LockSupport.park();
        } catch (Throwable e) {
            taken.cancel(this, run);
            while (state != IDLE) {
                taken.driveInPlace();
            }
            throw e;
        }
        if (state != IDLE && taken.isHeldByCaller()) {
            while (state != IDLE && !Thread.currentThread().isInterrupted()) {
                taken.driveInPlace();
            }
        }
    }

    /**
     * Cancels the run that is in flight, on behalf of somebody who is not the waiter. Where the waiter is just about
     * to start, nothing is cancelled: whoever calls this has published before that there is nothing to start for,
     * and the operation looks for that when it starts.
     */
    public final void cancelFromOutside() {
        VarHandle.fullFence(); // what the caller published before the look at the state
        if (state != IDLE) {
            Lane taken = lane;
            if (taken != null) {
                taken.cancel(this, run);
            }
        }
    }

    /**
     * Moves IN_FLIGHT to CANCELLING. Called on the driver's thread, which alone can end a run: so an operation
     * that is seen in flight here stays so until the caller has dealt with it.
     *
     * @return whether that run was in flight and nobody had asked before
     */
    public final boolean tryCancel(int wantedRun) {
        // The state is read first: IN_FLIGHT of a later run was released after that run's number was written.
        if (state != IN_FLIGHT || run != wantedRun) {
            return false;
        }
        STATE.setRelease(this, CANCELLING);
        return true;
    }

    /** Ends the run. Called on the driver's thread, once, when the kernel will not touch the buffers again. */
    public final void complete(int kernelResult, int kernelFlags) {
        // From the store on, the waiter may use the operation again: everything is read before it.
        Thread woken = waiter;
        waiter = null;
        result = kernelResult;
        flags = kernelFlags;
        STATE.setRelease(this, IDLE);
        if (woken != null && woken != Thread.currentThread()) {
            LockSupport.unpark(woken);
        }
    }

    /** The flags of the last completion, as the driver knows them. */
    protected final int completionFlags() {
        return flags;
    }
}
