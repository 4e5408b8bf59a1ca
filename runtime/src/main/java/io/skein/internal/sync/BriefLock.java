package io.skein.internal.sync;

import io.skein.internal.Headroom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;

/**
 * A lock that is held for a few instructions. Whoever holds it neither waits nor calls anybody else's code, so that it is never
 * held by a coroutine that is suspended, and a worker may take it too.
 *
 * <p>Whoever takes it has stack left for what it does with the lock and right after. So nobody runs out of stack before it has given
 * the lock back, and what it guards is never half changed. Whoever has memory allocated while it holds the lock gives it back in a
 * {@code finally}, and changes nothing before.
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

    static { // once, so that nobody links a call while it holds the lock, or spoils a class by initialising it in too
        // little stack
        BriefLock practice = new BriefLock();
        practice.lock();
        practice.unlock();
        practice.lockAgain();
        practice.unlock();
        practice.lockToEnd();
        practice.unlock();
        practice.tryLock();
        Patience.of(Duration.ZERO).await(new Waiter());
    }

    /**
     * Takes the lock.
     *
     * @throws StackOverflowError if too little stack is left; then it is not taken
     */
    public void lock() {
        Headroom.toBegin();
        if (!HELD.compareAndSet(this, false, true)) {
            lockHeld();
        }
    }

    /**
     * As {@link #lock}, for who has taken it before and now ends what it began then: who leaves a line, or gives back what it was
     * given. It needs less stack, so that it does not fail where that did not, a few calls more or less.
     */
    public void lockAgain() {
        Headroom.toEnd();
        lockToEnd();
    }

    /** As {@link #lockAgain}, for who has called {@link Headroom#toEnd} already: a second check could fail where the first did not. */
    public void lockToEnd() {
        if (!HELD.compareAndSet(this, false, true)) {
            lockHeld();
        }
    }

    private void lockHeld() {
        for (int spins = 1; ; spins++) {
            if (!(boolean) HELD.getOpaque(this) && HELD.compareAndSet(this, false, true)) {
                return;
            }
            if (spins % SPINS == 0) {
                giveWay();
            } else {
                Thread.onSpinWait();
            }
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it
    private static void giveWay() {
        try {
            Thread.yield();
        } catch (StackOverflowError e) { // of a coroutine whose stack is too large to be put aside
            Thread.onSpinWait();
        }
    }

    /** Takes the lock, unless it stays held for a while. It never gives way: for who holds another one, and has its stack. */
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
