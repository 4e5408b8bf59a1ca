package io.skein.time;

import io.skein.internal.time.Durations;
import io.skein.internal.time.Sleep;
import java.time.Duration;

/**
 * Ticks at equal distances. For use by one thread at a time. It needs no close: while nobody waits for a tick, nothing runs.
 *
 * <pre>{@code
 * Interval everySecond = Time.interval(Duration.ofSeconds(1));
 * while (true) {
 *     everySecond.tick();
 *     report();
 * }
 * }</pre>
 *
 * <p>The first tick is due a period after the interval was made. Ticks do not drift: the time between a tick and the next call of
 * {@link #tick} does not count, as long as it is shorter than a period. {@link MissedTicks} says what happens when it is longer.
 */
public final class Interval {
    private final long periodNanos;
    private final MissedTicks policy;
    private long dueNanos;
    private long number = 1;

    Interval(long periodNanos, MissedTicks policy) {
        this.periodNanos = periodNanos;
        this.policy = policy;
        this.dueNanos = System.nanoTime() + periodNanos;
    }

    /**
     * Waits until the next tick is due, never shorter. A tick that is due already is told at once.
     *
     * @return the tick's number, from 1 on; those that {@link MissedTicks#SKIP} leaves out are counted
     * @throws InterruptedException if the thread is interrupted before or while it waits; no tick is lost then
     */
    public long tick() throws InterruptedException {
        long late = System.nanoTime() - dueNanos;
        Sleep.until(dueNanos);
        long told = number;
        long periods = late > 0 && policy == MissedTicks.SKIP ? late / periodNanos + 1 : 1;
        number += periods;
        dueNanos += late > 0 && policy == MissedTicks.DELAY ? late + periodNanos : periods * periodNanos;
        return told;
    }

    @Override
    public String toString() {
        return "Interval[every " + Durations.text(periodNanos) + ", next is tick " + number + "]";
    }

    /** The distance between ticks. */
    public Duration period() {
        return Duration.ofNanos(periodNanos);
    }
}
