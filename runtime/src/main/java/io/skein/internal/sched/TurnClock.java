package io.skein.internal.sched;

import io.skein.internal.Budget;
import java.util.function.LongSupplier;

/**
 * Tells a worker that its coroutines have run for {@link Budget#SLICE_NANOS} since it last drove, so that it drives between two of
 * them. For the worker's thread only, coroutines mounted on it included.
 *
 * <p>The number of runs in a turn is bounded, and the length of a run is not: a batch of coroutines that compute or read files for
 * some milliseconds each would keep connections and timers waiting for the whole batch. A look at the clock costs about a fifth of a
 * short run. So the clock is looked at once in {@code stride} runs, and at the end of each turn of several runs. The stride
 * follows the length of the runs: it is 1 while they are long, and {@value #MOST_RUNS} while they are short. It doubles at most from one look
 * to the next, so that a single short run among long ones does not set it. A drive is late by one stride at most.
 */
final class TurnClock {
    /** So many runs pass at most between two looks. */
    static final int MOST_RUNS = 32;

    private final LongSupplier clock;

    /** Whether the turn has a beginning; else it begins with the next look. */
    private boolean started;

    private long startNanos;

    /** The last look. */
    private long lookNanos;

    /** How many runs have ended since the last look, or since the turn began. */
    private int runs;

    /** How many runs pass until the next look. */
    private int stride = 1;

    /**
     * A clock that nobody has looked at.
     *
     * @param clock a time in nanoseconds that only differences are taken of, such as {@link System#nanoTime}
     */
    TurnClock(LongSupplier clock) {
        this.clock = clock;
    }

    /** To be called when a run has ended. */
    void countRun() {
        runs++;
    }

    /** Whether a slice has passed, as of the last look that was due. */
    boolean isOver() {
        return runs >= stride && isOverNow();
    }

    /** Whether a slice has passed. Always looks at the clock. */
    boolean isOverNow() {
        look();
        return lookNanos - startNanos >= Budget.SLICE_NANOS;
    }

    /** To be called before the worker drives without sleeping: a turn ends, and the next begins. */
    void nextTurn() {
        if (runs > 1 || stride < MOST_RUNS) {
            look();
            startNanos = lookNanos;
        } else {
            sleep();
        }
    }

    /** To be called before the worker sleeps. */
    void sleep() {
        started = false;
        runs = 0;
    }

    private void look() {
        long now = clock.getAsLong();
        if (!started) {
            started = true;
            startNanos = now;
        } else if (runs > 0) {
            stride = Math.min(2 * stride, strideFor((now - lookNanos) / runs));
        }
        lookNanos = now;
        runs = 0;
    }

    /** As many runs of this length as a quarter of a slice takes. */
    private static int strideFor(long runNanos) {
        return Math.clamp(Budget.SLICE_NANOS / 4 / Math.max(1, runNanos), 1, MOST_RUNS);
    }
}
