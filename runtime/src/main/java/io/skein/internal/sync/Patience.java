package io.skein.internal.sync;

import java.time.Duration;

/** How long somebody is ready to wait: until an interrupt, no longer than until a time, or past everything. Immutable. */
public class Patience {
    /** Ends at an interrupt only. */
    public static final Patience ENDLESS = new Patience(0);

    /** Never ends; an interrupt is kept for later. */
    public static final Patience STUBBORN = new Patience(0);

    /** Far enough away, and times of {@link System#nanoTime} can still be compared with it. */
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

    private static final Duration LONGEST = Duration.ofNanos(LONGEST_NANOS);

    private final long deadlineNanos;

    Patience(long deadlineNanos) {
        this.deadlineNanos = deadlineNanos;
    }

    /** Ends at an interrupt, or so long after now; at once if that is zero or less. */
    public static Patience of(Duration duration) {
        long nanos = duration.compareTo(LONGEST) >= 0 ? LONGEST_NANOS : duration.isNegative() ? 0 : duration.toNanos();
        return new Patience(System.nanoTime() + nanos);
    }

    /** To be called before somebody gets in line. */
    public final void checkInterrupt() throws InterruptedException {
        if (this != STUBBORN && Thread.interrupted()) {
            throw new InterruptedException("interrupted before the wait");
        }
    }

    /**
     * Waits. The interrupt status is kept.
     *
     * @return whether it was resumed; if not, and if the wait fails, nobody can resume it any more
     */
    public boolean await(Waiter waiter) {
        if (this == ENDLESS) {
            return waiter.awaitResumed();
        }
        if (this == STUBBORN) {
            waiter.awaitResumedUninterruptibly();
            return true;
        }
        return waiter.awaitResumedUntil(deadlineNanos);
    }

    /**
     * To be called by somebody who was not resumed, got nothing and is out of line.
     *
     * @return false, if it was the time that was up
     */
    public final boolean gaveUp() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while waiting");
        }
        return false;
    }
}
