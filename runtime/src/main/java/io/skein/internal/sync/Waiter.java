package io.skein.internal.sync;

import io.skein.internal.Suspension;

/** The wait of one thread that stands in one queue, or in several and leaves by the first that serves it. */
public final class Waiter extends Suspension {
    /** A wait of the calling thread, which has begun. */
    public Waiter() {
        begin();
    }

    /** Starts the next wait of the same thread, after one that has ended. To be called by that thread. */
    public void beginAgain() {
        begin();
    }

    /**
     * Waits until it is resumed or the thread is interrupted. The interrupt status is kept.
     *
     * @return whether it was resumed; if not, nobody can resume it any more
     */
    public boolean awaitResumed() {
        return await();
    }

    /** As {@link #awaitResumed}, but no interrupt ends it. */
    public void awaitResumedUninterruptibly() {
        awaitUninterruptibly();
    }

    /**
     * As {@link #awaitResumed}, and no longer than until a time of {@link System#nanoTime}.
     *
     * @return whether it was resumed
     */
    public boolean awaitResumedUntil(long deadlineNanos) {
        return awaitUntil(deadlineNanos);
    }
}
