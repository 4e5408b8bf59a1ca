package io.skein.internal;

import io.skein.Resumer;
import io.skein.internal.loom.Loom;
import io.skein.internal.loom.Unparking;
import io.skein.internal.time.TimedPark;
import io.skein.internal.time.Timekeeper;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One wait of one thread. Every wait of Skein's own is one of these.
 *
 * <pre>
 *   OVER    -> WAITING     begin: the waiter, before it tells anybody
 *   WAITING -> OVER        resume, by anybody; or end, by the only one who can
 *   WAITING -> ABANDONED   the waiter, interrupted or out of time
 * </pre>
 *
 * <p>Invariants. Exactly one of OVER and ABANDONED follows on WAITING, so that whoever resumes knows whether it was heard,
 * and the waiter whether it was resumed. The step to OVER releases what the resumer wrote, and the waiter acquires it. Only
 * the waiter begins again. A resumer reads {@code waiter} before its step: after it, the field may belong to the next wait.
 */
public abstract class Suspension implements Resumer, Timekeeper.Wait {
    private static final int OVER = 0;
    private static final int WAITING = 1;
    private static final int ABANDONED = 2;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Suspension.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        // Links what is called for the first time when a wait fails, since there may be no memory for it then.
        boolean _ = new Suspension() {}.abandon();
    }

    private volatile int state;
    private @Nullable Thread waiter;

    /** Starts a wait of the calling thread. */
    protected final void begin() {
        waiter = Thread.currentThread();
        STATE.setRelease(this, WAITING);
    }

    @Override
    public final boolean isWaiting() {
        return state == WAITING;
    }

    /** Whether it was resumed, and not abandoned; or never begun. */
    protected final boolean isOver() {
        return state == OVER;
    }

    @Override
    public final boolean resume() {
        Headroom.toEnd(); // a wait that is over is woken too
        return resumeToEnd();
    }

    /**
     * As {@link #resume}, for a caller that has made sure of its stack before it changed anything. A second check, a few calls
     * deeper, would be the one that fails, and the waiter would sleep for ever.
     */
    public final boolean resumeToEnd() {
        Thread woken = settle();
        if (woken == null) {
            return false;
        }
        unpark(woken);
        return true;
    }

    /**
     * As {@link #resume}, but leaves it to the caller to unpark the waiter: for who holds a lock that the waiter will want.
     *
     * @return the thread to unpark; null if the wait had ended, or was given up, before
     */
    protected final @Nullable Thread settle() {
        while (state == WAITING) {
            Thread woken = waiter;
            if (woken != null) { // or that wait was given up just now, and the next one may have begun: look again
                return STATE.compareAndSet(this, WAITING, OVER) ? woken : null;
            }
        }
        return null;
    }

    /** Unparks the waiter of a wait that was {@linkplain #settle settled} and is the last one of this object. */
    protected final void unparkWaiter() {
        unpark(waiter);
    }

    /** As {@link #resume}, for a wait that one thread alone can end and the waiter does not abandon. */
    protected final void end() {
        Thread woken = waiter;
        waiter = null; // it may end long before this is used again
        STATE.setRelease(this, OVER);
        unpark(woken);
    }

    /** Lets the waiter look again whether it wants to wait on, if it waits. Any thread may call it. */
    public final void nudge() {
        Thread woken = waiter;
        if (state == WAITING) {
            LockSupport.unpark(woken);
        }
    }

    private static void unpark(@Nullable Thread woken) {
        if (woken != Thread.currentThread()) {
            Unparking.unpark(woken);
        }
    }

    /** Gives the wait up, unless it is over. */
    protected final boolean abandon() {
        if (!STATE.compareAndSet(this, WAITING, ABANDONED)) {
            return false;
        }
        waiter = null; // who was to resume it may keep it for long
        return true;
    }

    /**
     * Waits until it is over. If the wait fails, it is abandoned. At the first interrupt {@link #withdraw} is asked whether to give up; the interrupt status
     * is set on return if there was an interrupt.
     *
     * @return whether it is over; false if it was abandoned
     */
    protected final boolean await() {
        boolean interrupted = false;
        try {
            while (state == WAITING) {
                pause();
                if (Thread.interrupted()) { // parking with the status set would spin
                    boolean first = !interrupted;
                    interrupted = true;
                    if (first && state == WAITING && withdraw()) {
                        abandon();
                    }
                }
            }
        } catch (Throwable e) { // nobody waits any more
            abandon();
            throw e;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return state == OVER;
    }

    /** As {@link #await}, but without asking: no interrupt ends it. If the wait fails, it is abandoned. */
    protected final void awaitUninterruptibly() {
        boolean interrupted = Thread.interrupted();
        try {
            while (state == WAITING) {
                pause();
                interrupted |= Thread.interrupted();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Waits until it is over, an interrupt or the deadline, and abandons it at the latter two. The interrupt status is
     * left as it is.
     *
     * @param deadlineNanos a time of {@link System#nanoTime}
     * @return whether it is over
     */
    protected final boolean awaitUntil(long deadlineNanos) {
        try {
            TimedPark timed = new TimedPark(deadlineNanos, this);
            while (state == WAITING) {
                if (timed.isOver() || Thread.currentThread().isInterrupted()) {
                    abandon();
                } else {
                    timed.park();
                }
            }
        } catch (Throwable e) { // nobody waits any more
            if (abandon()) {
                throw e;
            }
        }
        return state == OVER;
    }

    /** Called on the waiter's thread when it is interrupted: whether the wait can be given up at once. */
    protected boolean withdraw() {
        return true;
    }

    /** To be called after a park: does the carrier's part, if the waiter waits on and has not given way. */
    protected final void standInIfHeld() {
        if (state == WAITING
                && Thread.currentThread().isVirtual()
                && !Thread.currentThread().isInterrupted() // or whoever it waits for might end the wait again and again
                && Loom.currentCarrier() instanceof Timekeeper carrier
                && !carrier.giveWay()) {
            carrier.standIn(this);
        }
    }

    /**
     * Lets the waiter sleep until it is unparked, or for no reason shorter than that. Where it cannot, for lack of stack or memory,
     * the wait is abandoned; unless it is over, and then nothing has failed.
     */
    protected void pause() {
        try {
            LockSupport.park();
            standInIfHeld();
        } catch (Throwable e) {
            if (abandon()) {
                throw e;
            }
        }
    }
}
