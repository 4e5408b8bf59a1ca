package io.skein;

import java.util.concurrent.atomic.LongAdder;

/**
 * Takes steps in little stack, and in ever more: goes down until there is no stack left, and takes steps on the way back, one frame higher
 * each time. Any thread may ask what was done.
 */
@SuppressWarnings("exports") // Tests are patched into the module; nobody sees them outside.
public final class LittleStack {
    /** Of a thread that has to get to the end of its stack often. */
    public static final long SIZE = 256 << 10;

    private final int steps;
    private final LongAdder done = new LongAdder();
    private final LongAdder overflows = new LongAdder();

    /** So many steps are taken after those that failed. */
    public LittleStack(int steps) {
        this.steps = steps;
    }

    /** How many steps were taken to their end. */
    public long done() {
        return done.sum();
    }

    /** How often there was no stack left. */
    public long overflows() {
        return overflows.sum();
    }

    /** Takes the step on the calling thread: once in enough stack, for classes that are used for the first time, and then in little. */
    public void run(Action step) throws Exception {
        run(step, 2);
    }

    /** As the other; goes down so often. */
    public void run(Action step, int descents) throws Exception {
        step.run();
        done.increment();
        for (int i = 0; i < descents; i++) {
            try {
                new Descent(step).descend();
            } catch (StackOverflowError e) {
                overflows.increment(); // the whole way up
            }
        }
    }

    private final class Descent {
        private int stepsLeft = steps;
        private final Action step;

        Descent(Action step) {
            this.step = step;
        }

        @SuppressWarnings("InfiniteRecursion") // that is what it is for
        void descend() throws Exception {
            try {
                descend();
            } catch (StackOverflowError e) {
                if (stepsLeft > 0) {
                    overflows.increment();
                    step.run(); // may overflow itself: then the next one up goes on
                    stepsLeft--;
                    done.increment();
                    throw e;
                }
            }
        }
    }
}
