package io.skein.internal.sched;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The place for the coroutine that the running one has just woken: it runs next, while what they share is in the cache.
 *
 * <p>The owning worker puts; the owner and, having found nothing else, other workers take. Every move is one atomic
 * exchange, so what was put is taken exactly once. Where no worker takes from another, plain moves will do.
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

    private final boolean shared;
    private volatile @Nullable Runnable occupant;

    /** An empty slot that others may take from. */
    LastInSlot() {
        this(true);
    }

    /**
     * An empty slot.
     *
     * @param shared whether others than the owner take from it
     */
    LastInSlot(boolean shared) {
        this.shared = shared;
    }

    /** Puts one in and returns the one that was there, which has to go elsewhere. */
    @Nullable
    Runnable put(Runnable runnable) {
        return exchange(runnable);
    }

    @Nullable
    Runnable take() {
        return occupant == null ? null : exchange(null);
    }

    private @Nullable Runnable exchange(@Nullable Runnable next) {
        if (shared) {
            return (Runnable) OCCUPANT.getAndSet(this, next);
        }
        Runnable before = occupant;
        OCCUPANT.setOpaque(this, next);
        return before;
    }

    boolean isEmpty() {
        return occupant == null;
    }
}
