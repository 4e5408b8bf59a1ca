package io.skein.internal;

import io.skein.internal.loom.CoroutineCarrier;
import io.skein.internal.loom.Loom;

/**
 * Makes coroutines give way that never have to wait. Any thread may call it.
 *
 * <p>A coroutine keeps its worker until it waits. An operation of Skein's that finds what it wants does not wait: a
 * channel that is never empty, a mutex that is always free, a socket that always has bytes. A loop around such
 * operations would keep its worker for ever, and with it the worker's timers, its I/O, and everybody queued there. So
 * each run of a coroutine on a worker has a budget of {@value #OPERATIONS} operations. Each operation that may end
 * without waiting spends one of them before it begins. A coroutine that has spent the last one goes to the end of the
 * run queue if somebody else could run meanwhile; see {@link Carrier#budgetSpent}.
 *
 * <p>A wait needs no account: the run ends there, and the next one has a budget of its own.
 *
 * <p>To spend is to subtract one from a plain field of the worker's thread. It is done before an operation has taken
 * or changed anything, and never with a {@link io.skein.internal.sync.BriefLock} held. To give way leaves the
 * interrupt status as it is. Threads that are not carried by a worker have no budget: the operating system, or the
 * JDK's scheduler, decides about them.
 */
public final class Budget {
    /** So many operations a coroutine may make in one run. */
    public static final int OPERATIONS = 128;

    /**
     * How long a coroutine may run, where it can afford to look at the clock; and how long a worker runs such
     * coroutines before it drives.
     */
    public static final long SLICE_NANOS = 500_000;

    private Budget() {}

    /** A thread that runs coroutines. Only the thread itself and the coroutines that it runs touch its budget. */
    public abstract static class Carrier extends CoroutineCarrier {
        private int budget = OPERATIONS;

        protected Carrier(String name, long stackSize) {
            super(name, stackSize);
        }

        /** To be called when a run begins. */
        public final void renewBudget() {
            budget = OPERATIONS;
        }

        /**
         * Lets others run, if there are any, in place of the caller, which has spent its budget. The caller is
         * carried by this thread.
         */
        protected abstract void budgetSpent();
    }

    /**
     * To be called before an operation that may end without waiting. The caller may be on another worker afterwards.
     */
    public static void spend() {
        if (Loom.currentCarrier() instanceof Carrier carrier && --carrier.budget <= 0) {
            carrier.budgetSpent();
        }
    }

    /**
     * To be called between pieces of work of unknown length, in a loop that may never wait.
     *
     * @param sinceNanos when the loop began, or what the last call returned
     * @return to be handed to the next call
     */
    @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it
    public static long spend(long sinceNanos) {
        long now = System.nanoTime();
        if (now - sinceNanos < SLICE_NANOS) {
            spend();
            return sinceNanos;
        }
        if (Loom.currentCarrier() instanceof Carrier carrier) {
            carrier.budgetSpent();
        } else if (Thread.currentThread().isVirtual()) {
            Thread.yield();
        }
        return System.nanoTime();
    }
}
