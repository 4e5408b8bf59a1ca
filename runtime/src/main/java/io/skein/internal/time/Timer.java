package io.skein.internal.time;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Something to be done at a time, once. Armed once; any thread may cancel it.
 *
 * <pre>
 *   NEW   -> ARMED       the wheel's owner puts it into the wheel
 *   NEW   -> SENT        another thread puts it into the wheel's mail
 *   SENT  -> ARMED       the owner reads it
 *   ARMED -> FIRED       the owner, when it is due
 *   FIRED -> ARMED       the owner, if there was no memory for what is to be done: it is put in again
 *   SENT  -> CANCELLED   anybody; it stays in the mail, and the owner throws it away
 *   ARMED -> CANCELLED   anybody; the owner takes it out at once, or when it reads its mail
 * </pre>
 *
 * <p>Invariants. Exactly one of FIRED and CANCELLED follows, so whoever cancels knows whether it will be done; but one that goes
 * back to ARMED may be cancelled by whoever comes then, and was not cancelled by whoever came before. It is in the mail
 * at most once: as SENT, or as CANCELLED after ARMED. All fields but {@code state}, and {@code below} until it is in the mail,
 * belong to the wheel's owner once it is armed or sent.
 */
public abstract class Timer {
    private static final int NEW = 0;
    private static final int SENT = 1;
    private static final int ARMED = 2;
    private static final int FIRED = 3;
    private static final int CANCELLED = 4;

    /** The slot of a timer that is in none. */
    static final int NOWHERE = -1;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Timer.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int state;

    /** Where it was armed or sent; written before that. */
    private @Nullable TimerWheel wheel;

    /** The tick at which it is due. */
    long tick;

    /** The wheel's slot that it is in, and its neighbours there, in a circle. */
    int slot = NOWHERE;

    @Nullable
    Timer previous;

    @Nullable
    Timer next;

    /** What lies below it in the wheel's mail. */
    @Nullable
    Timer below;

    /**
     * What is to be done. Called on the thread that owns the wheel: it neither blocks nor takes a lock. If it finds no memory it is called
     * again, a little later, and may be although somebody has been told that it was too late to cancel.
     */
    protected abstract void fire();

    /** Lets go of what {@link #fire} would have needed. Called by who has cancelled it: its wheel may keep it for a while. */
    protected void release() {}

    /** To be called once, by the wheel's owner. */
    final void arm(TimerWheel target, long dueTick) {
        prepare(target, dueTick);
        STATE.setRelease(this, ARMED);
    }

    /** To be called once, by who sends it; again only if it was not {@linkplain #refused taken}. */
    final void send(TimerWheel target, long dueTick) {
        prepare(target, dueTick);
        STATE.setRelease(this, SENT);
    }

    /** Called by who has sent it, to a wheel that takes no more. */
    final void refused() {
        STATE.setRelease(this, NEW);
    }

    private void prepare(TimerWheel target, long dueTick) {
        if (state != NEW) {
            throw new IllegalStateException("a timer is armed once");
        }
        wheel = target;
        tick = dueTick;
    }

    /** Called by the owner, who has found it in its mail. */
    final boolean arrive() {
        return STATE.compareAndSet(this, SENT, ARMED);
    }

    /**
     * Called by the owner, who has taken it out of the wheel because it is due.
     *
     * @return false if there was no memory for it; then the owner has to put it in again at a later tick, since nobody else will
     */
    final boolean expire() {
        if (!STATE.compareAndSet(this, ARMED, FIRED)) {
            return true;
        }
        try {
            fire();
            return true;
        } catch (VirtualMachineError e) { // memory, or the stack of a coroutine that stands in
            return false;
        }
    }

    /** Called by the owner, when {@link #expire} has returned false. */
    final void armAgain(long dueTick) {
        tick = dueTick;
        STATE.setRelease(this, ARMED);
    }

    public final boolean hasFired() {
        return state == FIRED;
    }

    /**
     * Makes sure that it is not done, unless it is too late for that.
     *
     * @return true if this call did that; false if it has been done, is just being done, was cancelled before, or was never armed
     */
    public final boolean cancel() {
        int seen = state;
        while (seen == SENT || seen == ARMED) {
            if (STATE.compareAndSet(this, seen, CANCELLED)) {
                release();
                TimerWheel armedIn = wheel;
                if (seen == ARMED && armedIn != null) {
                    armedIn.forget(this);
                }
                return true;
            }
            seen = state;
        }
        return false;
    }
}
