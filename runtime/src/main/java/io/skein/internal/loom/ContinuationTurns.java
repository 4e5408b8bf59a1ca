package io.skein.internal.loom;

import org.jspecify.annotations.Nullable;

/**
 * Turns on one thread: the body's frames are on the consumer's stack while it runs, and on the heap while it is paused. A
 * body that nobody refers to any more is garbage like any other.
 *
 * <p>What a thread has besides its stack has to be kept apart by hand: the monitors that it holds, see
 * {@link HeldMonitors}, and its scoped values. The body starts with the consumer's scoped values and from then on
 * each side keeps its own.
 */
public final class ContinuationTurns implements Turns {
    private static final boolean AVAILABLE =
            ScopedBindings.available() && Loom.exportsContinuations() && monitorsSurvive();

    private final BodyContinuation continuation;
    private @Nullable Object bodysBindings;
    private boolean started;

    public ContinuationTurns(Runnable body) {
        continuation = new BodyContinuation(body);
    }

    /** Whether this JVM has such turns, and was found to keep them apart. */
    public static boolean available() {
        return AVAILABLE;
    }

    @Override
    public void resume() {
        HeldMonitors.settle();
        Object bindings = ScopedBindings.get();
        if (started) {
            ScopedBindings.set(bodysBindings);
        }
        started = true;
        try {
            continuation.run();
        } finally {
            bodysBindings = ScopedBindings.get();
            ScopedBindings.set(bindings);
        }
    }

    @Override
    public boolean pause() {
        return !HeldMonitors.seen() && BodyContinuation.suspend();
    }

    @Override
    public boolean inside() {
        return BodyContinuation.current() == continuation;
    }

    @Override
    public void endWith(Object consumer, Runnable beforehand) {
        // Nothing holds the body but the consumer.
    }

    @Override
    public void end() {
        // Nothing is held.
    }

    /** Tries it: a consumer that holds monitors, one of them twice, still holds them after a turn. */
    private static boolean monitorsSurvive() {
        Object first = new Object();
        Object second = new Object();
        ContinuationTurns turns = new ContinuationTurns(BodyContinuation::suspend);
        synchronized (first) {
            synchronized (second) {
                synchronized (first) {
                    turns.resume();
                    return Thread.holdsLock(first) && Thread.holdsLock(second);
                }
            }
        }
    }
}
