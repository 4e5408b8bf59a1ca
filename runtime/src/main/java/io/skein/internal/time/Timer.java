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
 *   SENT  -> CANCELLED   anybody; it stays in the mail, and the owner throws it away
 *   ARMED -> CANCELLED   anybody; the owner takes it out at once, or when it reads its mail
 * </pre>
 *
 * <p>Invariants. Exactly one of FIRED and CANCELLED follows, so whoever cancels knows whether it will be done. It is in the mail
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

    /** What is to be done. Called on the thread that owns the wheel: it neither blocks nor takes a lock. */
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

    /** Called by the owner, who has taken it out of the wheel because it is due. */
    final void expire() {
        if (STATE.compareAndSet(this, ARMED, FIRED)) {
            fire();
        }
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
