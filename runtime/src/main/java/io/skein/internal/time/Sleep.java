package io.skein.internal.time;

import io.skein.internal.Budget;

/** Waiting for a time, and for nothing else. Any thread may call it. */
public final class Sleep {
    private Sleep() {}

    /**
     * Waits until a time of {@link System#nanoTime}.
     *
     * @throws InterruptedException if the thread is interrupted before or meanwhile, even if it has nothing to wait for
     */
    public static void until(long deadlineNanos) throws InterruptedException {
        Budget.spend();
        TimedPark timed = new TimedPark(deadlineNanos, null);
        while (true) {
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted in a sleep");
            }
            if (timed.isOver()) {
                return;
            }
            timed.park();
        }
    }
}
