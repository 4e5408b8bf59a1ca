package io.skein.internal.sched;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What one worker has done so far.
 *
 * <p>The worker alone writes, with opaque stores that cost what plain ones do; any thread may read.
 */
final class WorkerCounters {
    private static final VarHandle RUNS = counter("runs");
    private static final VarHandle STEALS = counter("steals");
    private static final VarHandle SLEEPS = counter("sleeps");
    private static final VarHandle WAKE_UPS = counter("wakeUps");
    private static final VarHandle TURNS = counter("turns");

    private long runs;
    private long steals;
    private long sleeps;
    private long wakeUps;
    private long turns;

    private static VarHandle counter(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(WorkerCounters.class, name, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Counts a coroutine's run twice, before and after: the number is odd while one runs. */
    void run() {
        RUNS.setOpaque(this, runs + 1);
    }

    void steal() {
        STEALS.setOpaque(this, steals + 1);
    }

    void sleep() {
        SLEEPS.setOpaque(this, sleeps + 1);
    }

    /** Counts a sleep that another thread ended. */
    void wakeUp() {
        WAKE_UPS.setOpaque(this, wakeUps + 1);
    }

    /** Counts a turn of the loop. */
    void turn() {
        TURNS.setOpaque(this, turns + 1);
    }

    /** Odd while a coroutine runs, even otherwise; another number for each run. */
    long runMarks() {
        return (long) RUNS.getOpaque(this);
    }

    long runs() {
        return (runMarks() + 1) / 2;
    }

    long steals() {
        return (long) STEALS.getOpaque(this);
    }

    long sleeps() {
        return (long) SLEEPS.getOpaque(this);
    }

    long wakeUps() {
        return (long) WAKE_UPS.getOpaque(this);
    }

    long turns() {
        return (long) TURNS.getOpaque(this);
    }
}
