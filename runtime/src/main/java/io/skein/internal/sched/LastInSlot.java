package io.skein.internal.sched;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The place for the coroutine that the running one has just woken: it runs next, while what they share is in the cache.
 *
 * <p>The owning worker puts; the owner and, having found nothing else, other workers take. Every move is one atomic
 * exchange, so what was put is taken exactly once.
 */
final class LastInSlot {
    private static final VarHandle OCCUPANT;

    static {
        try {
            OCCUPANT = MethodHandles.lookup().findVarHandle(LastInSlot.class, "occupant", Runnable.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Runnable occupant;

    /** Puts one in and returns the one that was there, which has to go elsewhere. */
    @Nullable
    Runnable put(Runnable runnable) {
        return (Runnable) OCCUPANT.getAndSet(this, runnable);
    }

    @Nullable
    Runnable take() {
        return occupant == null ? null : (Runnable) OCCUPANT.getAndSet(this, null);
    }

    boolean isEmpty() {
        return occupant == null;
    }
}
