package io.skein.internal.loom;

import org.jspecify.annotations.Nullable;

/**
 * Turns on one thread: the body's frames are on the consumer's stack while it runs, and on the heap while it is paused. A
 * body that nobody refers to any more is garbage like any other.
 *
 * <p>What a thread has besides its stack has to be kept apart by hand: the monitors that it holds, see
 * {@link HeldMonitors}, and its scoped values. The body starts with the consumer's scoped values and from then on
 * each side keeps its own.
 *
 * <p><b>Waiting.</b> On a platform thread, a body that waits blocks the thread. On a virtual thread it must suspend it.
 * The body's continuation is inside the thread's own and has the same scope, so a wait suspends the body's first, as a
 * pause does, and {@link #resume} then suspends the thread's, as the wait wanted: the JDK has prepared the thread's
 * state for that, and nothing in between may wait or take a lock. When the thread goes on, so does the body. Where
 * the thread cannot be suspended, for there is a native frame on its stack, the body's wait is told so, and
 * waits on the carrier.
 *
 * <p>A scope of its own would spare {@code resume} that work, because the JDK then suspends both by itself. But JDK 25
 * crashes if somebody asks for the thread's stack trace while it does so: it looks for frames where there are none yet.
 * With the scope of virtual threads, it sees that the innermost continuation is not the thread's, and asks again later.
 * The same goes for contended monitors: the JDK suspends who waits for one only in that scope.
 */
public final class ContinuationTurns implements Turns {
    private static final boolean AVAILABLE =
            Continuations.available() && ScopedBindings.available() && linkForWaits() && monitorsSurvive();

    private final boolean virtual = Thread.currentThread().isVirtual();
    private final Object continuation;
    private @Nullable Object bodysBindings;
    private boolean started;
    private boolean paused;
    private boolean ended;

    /** Turns with the calling thread. */
    public ContinuationTurns(Runnable body) {
        continuation = Continuations.create(virtual, () -> {
            try {
                body.run();
            } finally {
                ended = true;
            }
        });
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
        paused = false;
        try {
            Continuations.run(continuation);
            while (!paused && !ended) {
                waitAsTheBodyWants();
                Continuations.run(continuation);
            }
        } finally {
            bodysBindings = ScopedBindings.get();
            ScopedBindings.set(bindings);
        }
    }

    private void waitAsTheBodyWants() {
        if (!Continuations.suspend(true)) {
            if (Continuations.isParking(Thread.currentThread())) {
                Continuations.failSuspension(continuation);
            } else {
                Thread.onSpinWait(); // it waits for a monitor, and looks again when it is run
            }
        }
    }

    @Override
    public void relieveStack() {
        boolean _ = pause(); // where that is impossible, the next one tells
    }

    @Override
    public boolean pause() {
        if (HeldMonitors.seen()) {
            return false;
        }
        paused = true;
        try {
            return Continuations.suspend(virtual);
        } finally {
            paused = false;
        }
    }

    @Override
    public boolean inside() {
        return Continuations.current(virtual) == continuation;
    }

    @Override
    public void endWith(Object consumer, Runnable beforehand) {
        // Nothing holds the body but the consumer.
    }

    @Override
    public void end() {
        // Nothing is held.
    }

    /** Calls once what is called while a thread is about to wait: the JVM takes locks when it links a call. */
    private static boolean linkForWaits() {
        Continuations.failSuspension(Continuations.create(false, () -> {}));
        return !Continuations.isParking(Thread.ofVirtual().unstarted(() -> {}));
    }

    /** Tries it: a consumer that holds monitors, one of them twice, still holds them after a turn. */
    private static boolean monitorsSurvive() {
        Object first = new Object();
        Object second = new Object();
        ContinuationTurns[] turns = new ContinuationTurns[1];
        turns[0] = new ContinuationTurns(() -> turns[0].pause());
        synchronized (first) {
            synchronized (second) {
                synchronized (first) {
                    turns[0].resume();
                    return Thread.holdsLock(first) && Thread.holdsLock(second);
                }
            }
        }
    }
}
