package io.skein.internal.time;

import io.skein.internal.loom.Loom;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Where timers are armed. Any thread may call it. */
public final class Timers {
    /** Later than anybody waits, and early enough to take differences of. */
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

    private Timers() {}

    /** Arms a timer with the worker that carries the caller, or else with the thread that keeps everybody else's. */
    public static void arm(Timer timer, long deadlineNanos) {
        if (Loom.currentCarrier() instanceof Timekeeper keeper) {
            keeper.wheel().arm(timer, deadlineNanos);
        } else {
            TimerThread.arm(timer, deadlineNanos);
        }
    }

    /** The time of {@link System#nanoTime} when a length of time from now has passed; now, if it is negative. */
    public static long deadlineAfter(Duration duration) {
        return System.nanoTime() + nanos(duration);
    }

    /** A length of time that differences can be taken of: not negative, and not too long. */
    public static long nanos(Duration duration) {
        return Math.clamp(TimeUnit.NANOSECONDS.convert(duration), 0, LONGEST_NANOS);
    }

    /**
     * Does something that may block or call anybody's code, on a virtual thread of the JDK's own. To be called from
     * {@link Timer#fire}.
     */
    public static void aside(Runnable action) {
        if (Thread.currentThread()
                .isVirtual()) { // a coroutine that drives in place; a thread of its would be its worker's
            TimerThread.arm(new Aside(action), System.nanoTime());
        } else {
            Thread.startVirtualThread(action);
        }
    }

    private static final class Aside extends Timer {
        private final Runnable action;

        Aside(Runnable action) {
            this.action = action;
        }

        @Override
        protected void fire() {
            Thread.startVirtualThread(action);
        }
    }
}
