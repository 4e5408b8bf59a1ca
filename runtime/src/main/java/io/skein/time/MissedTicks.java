package io.skein.time;

/**
 * What an {@link Interval} makes of ticks that were due before anybody waited for them. In each case the first of them is
 * told at once; they differ in what comes after it.
 */
public enum MissedTicks {
    /** Each missed tick is told at once, one after the other, until the ticks have caught up. None is lost. */
    BURST,

    /** The next tick comes a whole period after the late one. From then on all are later by that much. */
    DELAY,

    /** The next tick comes when it would have come anyway. Those in between are left out. */
    SKIP
}
