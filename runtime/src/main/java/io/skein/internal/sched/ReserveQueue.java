package io.skein.internal.sched;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Coroutines that are to run on one worker and for which its other queues had no memory. It takes none: each coroutine is linked to the
 * next by a field of its own. Any thread may add; the worker alone polls.
 *
 * <p>A stack of what was added, by compare-and-set, which the worker takes as a whole. So no link that somebody still reads is ever changed.
 * A coroutine is in one queue of this kind at most: one that is added again before it was polled stays where it is, and the one
 * run that it gets is after both calls.
 *
 * <pre>
 *   nextInReserve of a coroutine:
 *     null     in none
 *     itself   in one, at the bottom; or about to be added
 *     another  in one, above that other
 * </pre>
 */
final class ReserveQueue {
    private static final VarHandle TOP;

    static {
        try {
            TOP = MethodHandles.lookup().findVarHandle(ReserveQueue.class, "top", SpawnedCoroutine.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable SpawnedCoroutine<?> top;

    /** What was taken from the stack and not yet polled. The worker's alone. */
    private @Nullable SpawnedCoroutine<?> taken;

    /** Adds a coroutine, unless it is in such a queue already. */
    void add(SpawnedCoroutine<?> coroutine) {
        if (!coroutine.claimReserve()) {
            return;
        }
        SpawnedCoroutine<?> below;
        do {
            below = top;
            coroutine.nextInReserve(below == null ? coroutine : below);
        } while (!TOP.compareAndSet(this, below, coroutine));
    }

    @Nullable
    SpawnedCoroutine<?> poll() {
        SpawnedCoroutine<?> polled = taken;
        if (polled == null) {
            polled = (@Nullable SpawnedCoroutine<?>) TOP.getAndSet(this, null);
            if (polled == null) {
                return null;
            }
        }
        SpawnedCoroutine<?> next = polled.leaveReserve();
        taken = next == polled ? null : next;
        return polled;
    }

    /** Whether there is nothing to poll. For the worker. */
    boolean isEmpty() {
        return top == null && taken == null;
    }
}
