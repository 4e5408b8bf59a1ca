package io.skein.internal.io;

import io.skein.internal.time.Timer;
import io.skein.internal.time.Timers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Looks after the deadlines of one operation's runs, with one timer for many of them.
 *
 * <p>A run only notes its deadline. A timer that fires looks what has become of the operation meanwhile: if a run waits whose
 * time is up, its waiter is told; if one waits whose time is still to come, the next timer is armed for that time; otherwise
 * there is no timer until the next run. So quick runs in a row cost a note each, and a timer once in a timeout.
 *
 * <p>{@code alarm} is the timer that counts, armed or about to be by who has set it; others that fire do nothing. No deadline is
 * missed: the waiter notes it and begins to wait, and then looks whether there is a timer; a timer that is the last takes
 * itself away, and then looks whether somebody waits. One of the two sees the other.
 */
final class Limit {
    private static final VarHandle ALARM;

    static {
        try {
            ALARM = MethodHandles.lookup().findVarHandle(Limit.class, "alarm", Alarm.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Operation operation;

    /** When the run is to end, or {@link Deadline#NONE}. Written by the waiter, before it begins to wait. */
    private volatile long deadline;

    /** Whether the waiter has found that time is up. Of the waiter. */
    private boolean over;

    private volatile @Nullable Alarm alarm;

    /** The last deadline that was found to have passed. Written before the waiter is told. */
    private volatile long rung;

    Limit(Operation operation) {
        this.operation = operation;
    }

    /** Notes the deadline of the run that is about to begin. Called by the waiter. */
    void set(long deadlineNanos) {
        over = false;
        deadline = deadlineNanos;
    }

    /** Whether the waiter was told that the deadline has passed: it may not have noticed. */
    boolean hasRung() {
        return rung == deadline;
    }

    /** Finds that time is up, if it is. Called by the waiter; says so once in a run. */
    boolean passes() {
        if (over || !Deadline.isPassed(deadline)) {
            return false;
        }
        over = true;
        return true;
    }

    /** Whether the waiter has found that time is up. */
    boolean isOver() {
        return over;
    }

    /** Sees to it that there is a timer in time. Called when the operation may be waiting. */
    void look() {
        VarHandle.fullFence(); // the wait before the look at the timer
        while (operation.isWaiting()) {
            long due = deadline;
            Alarm present = alarm;
            if (due == Deadline.NONE || (present != null && present.due - due <= 0)) {
                return;
            }
            if (replace(present, due)) {
                if (present != null) {
                    present.cancel();
                }
                return;
            }
        }
    }

    private boolean replace(@Nullable Alarm present, long due) {
        Alarm next = new Alarm(this, due);
        if (!ALARM.compareAndSet(this, present, next)) {
            return false;
        }
        try {
            Timers.arm(next, due);
        } catch (Throwable e) { // no memory; one that is not armed must not be taken for one that is
            ALARM.compareAndSet(this, next, null);
            throw e;
        }
        return true;
    }

    /** Called by a timer that fires. */
    private void fired(Alarm fired) {
        if (ALARM.compareAndSet(this, fired, null)) {
            long due = deadline;
            if (Deadline.isPassed(due)) {
                rung = due;
                operation.nudge();
            } else {
                armNext();
            }
        }
    }

    /** Arms the next timer, on a thread that has nobody to tell if there is no memory for it: then the waiter looks, and is told. */
    private void armNext() {
        try {
            look();
        } catch (Throwable e) {
            operation.nudge();
        }
    }

    /** Takes the timer away. Nobody waits any more, nor will. */
    void stop() {
        Alarm last = (Alarm) ALARM.getAndSet(this, null);
        if (last != null) {
            last.cancel();
        }
    }

    private static final class Alarm extends Timer {
        private final Limit limit;
        private final long due;

        Alarm(Limit limit, long due) {
            this.limit = limit;
            this.due = due;
        }

        @Override
        protected void fire() {
            limit.fired(this);
        }
    }
}
