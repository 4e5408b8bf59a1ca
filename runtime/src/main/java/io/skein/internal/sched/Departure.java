package io.skein.internal.sched;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One coroutine's way from a worker to a spare carrier, as what the spare runs.
 *
 * <p>A coroutine may be handed to a spare and be back at a worker before the spare gets to it: while somebody looks at its stack nobody
 * can run it, and the JDK hands it to the workers afterwards. Then the spare must not run it at a later time, when it has given
 * way for another reason: it would go on at the spare, beside its worker.
 *
 * <pre>
 *   READY -> TAKEN     the spare, before it runs the coroutine
 *   TAKEN -> OVER      the spare, when the coroutine has given way, or could not be run
 *   READY -> OVER      the coroutine, back at a worker
 * </pre>
 */
final class Departure implements Runnable {
    private static final int READY = 0;
    private static final int TAKEN = 1;
    private static final int OVER = 2;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Departure.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int state;

    /** Written by the worker before a spare has this. */
    private @Nullable Runnable coroutine;

    /** Called by the worker, when the coroutine has given way. */
    Departure of(Runnable leaving) {
        coroutine = leaving;
        return this;
    }

    /** Runs the coroutine, unless it is back. Called by the spare. */
    @Override
    public void run() {
        Runnable leaving = coroutine;
        if (leaving != null && STATE.compareAndSet(this, READY, TAKEN)) {
            try {
                leaving.run();
            } finally {
                state = OVER;
            }
        }
    }

    /** Called by the coroutine that is back at a worker, and runs. On return the spare will not run it any more. */
    void callOff() {
        if (!STATE.compareAndSet(this, READY, OVER)) {
            while (state == TAKEN) {
                Thread.onSpinWait(); // for as long as the spare takes to see that the coroutine runs
            }
        }
    }
}
