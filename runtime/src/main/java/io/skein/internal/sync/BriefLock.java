package io.skein.internal.sync;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock that is held for a few instructions. Whoever holds it neither waits nor calls anybody else's code, so that it is never
 * held by a coroutine that is suspended, and a worker may take it too.
 *
 * <p>Not reentrant. Who finds it held looks again, and after a while gives way to others, because the operating system may have
 * taken the processor from its holder.
 */
public final class BriefLock {
    private static final int SPINS = 100;

    private static final VarHandle HELD;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(BriefLock.class, "held", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // by its VarHandle
    private boolean held;

    /** Takes the lock. */
    public void lock() {
        if (!HELD.compareAndSet(this, false, true)) {
            lockHeld();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it
    private void lockHeld() {
        for (int spins = 1; ; spins++) {
            if (!(boolean) HELD.getOpaque(this) && HELD.compareAndSet(this, false, true)) {
                return;
            }
            if (spins % SPINS == 0) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
    }

    /** Takes the lock, unless it stays held for a while. It never gives way: for who holds another one. */
    public boolean tryLock() {
        for (int spins = 0; spins < SPINS; spins++) {
            if (!(boolean) HELD.getOpaque(this) && HELD.compareAndSet(this, false, true)) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    /** Gives the lock back. */
    public void unlock() {
        HELD.setRelease(this, false);
    }
}
