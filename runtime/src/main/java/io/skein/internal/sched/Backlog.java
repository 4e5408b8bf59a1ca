package io.skein.internal.sched;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What waits to run on one worker, as everybody else sees it and other workers take from it.
 *
 * <p>Any thread may call what only looks, and what it is told may be over by then. Other workers may take. The worker itself
 * uses its queues directly: here is only what is safe from outside.
 */
final class Backlog {
    /** How long a thief waits for a last-in slot's owner to run something else, before it takes the occupant. */
    private static final int LAST_IN_PATIENCE_SPINS = 200;

    private final RunQueue.Thief queue;
    private final SharedQueue arrivals;
    private final LastInSlot lastIn;

    /** {@link WorkerCounters#runMarks} of the worker. */
    private final LongSupplier runMarks;

    Backlog(RunQueue.Thief queue, SharedQueue arrivals, LastInSlot lastIn, LongSupplier runMarks) {
        this.queue = queue;
        this.arrivals = arrivals;
        this.lastIn = lastIn;
        this.runMarks = runMarks;
    }

    /** How many coroutines wait in the worker's queues; the last-in slot is not one of them. */
    int queued() {
        return queue.size() + arrivals.size();
    }

    boolean hasArrivals() {
        return !arrivals.isEmpty();
    }

    boolean hasLastIn() {
        return !lastIn.isEmpty();
    }

    /** How many coroutines wait, wherever they do. */
    int size() {
        return queued() + (hasLastIn() ? 1 : 0);
    }

    /** How much the worker has to do: what waits, and what runs. */
    int load() {
        return size() + (int) (runMarks.getAsLong() & 1);
    }

    /** Takes one to run, and more of the queue for the thief's own. */
    @Nullable
    Runnable stealInto(RunQueue mine) {
        Runnable stolen = queue.stealHalfInto(mine);
        return stolen != null ? stolen : arrivals.poll();
    }

    /** Takes one to run, for a thread that has no queue. */
    @Nullable
    Runnable stealOne() {
        Runnable stolen = queue.stealOne();
        return stolen != null ? stolen : arrivals.poll();
    }

    /** Takes what the worker is to run next, but only if the worker does not get to it soon. */
    @Nullable
    Runnable stealLastIn() {
        return isStuck() ? lastIn.take() : null;
    }

    /** Watches for a while whether the worker runs one coroutine all the time. */
    private boolean isStuck() {
        long marks = runMarks.getAsLong();
        for (int spins = 0; spins < LAST_IN_PATIENCE_SPINS; spins++) {
            Thread.onSpinWait();
            if (runMarks.getAsLong() != marks) {
                return false;
            }
        }
        return true;
    }
}
