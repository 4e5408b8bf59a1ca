package io.skein.internal.sched;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The coroutines that wait to run on one worker: its run queue, its last-in slot and its arrivals.
 *
 * <p>Only the worker's thread calls it, coroutines mounted on it included; except {@link #arrive} and {@link #spills}, which
 * any thread may call. Everybody else sees and takes what waits here through the {@link Backlog}.
 *
 * <p>Each method that queues something publishes it first and announces it afterwards, as {@link IdleWorkers} demands.
 */
final class OwnQueues {
    /** So many runs in a row may come from the last-in slot while others wait. */
    private static final int LAST_IN_RUNS = 3;

    private final WorkSharing sharing;
    private final int place;
    private final RunQueue runQueue;
    private final LastInSlot lastIn;
    private final SharedQueue arrivals = new SharedQueue();
    private final Backlog backlog;

    /** Whether operations complete or timers fire: what they wake is announced once, afterwards. */
    private boolean gathering;

    /** How many runs in a row came from the last-in slot. */
    private int lastInRuns;

    /**
     * Empty queues, which enter the sharing.
     *
     * @param place the worker's place there
     * @param capacity how many the run queue holds
     * @param spillsToAll whether a full run queue spills to the global queue; or else to its own arrivals
     * @param runMarks {@link WorkerCounters#runMarks} of the worker
     */
    OwnQueues(WorkSharing sharing, int place, int capacity, boolean spillsToAll, LongSupplier runMarks) {
        this.sharing = sharing;
        this.place = place;
        this.lastIn = new LastInSlot(sharing.hasThieves());
        this.runQueue = new RunQueue(capacity, spillsToAll ? sharing.global() : arrivals, sharing.hasThieves());
        this.backlog = new Backlog(runQueue.thief(), arrivals, lastIn, runMarks);
        sharing.enter(place, backlog);
    }

    /** What waits here, for everybody else. */
    Backlog backlog() {
        return backlog;
    }

    RunQueue runQueue() {
        return runQueue;
    }

    long spills() {
        return runQueue.spills();
    }

    // Coming.

    /**
     * Queues a coroutine that is to run.
     *
     * @param next whether it goes to the last-in slot: the coroutine that runs has woken it, and will soon give way
     */
    void schedule(Runnable runnable, boolean next) {
        boolean inSlotOnly = false;
        if (next) {
            Runnable displaced = lastIn.put(runnable);
            inSlotOnly = displaced == null;
            if (displaced != null) {
                queueDisplaced(displaced);
            }
        } else {
            runQueue.push(runnable);
        }
        if (gathering || !sharing.hasThieves()) {
            return;
        }
        if (inSlotOnly) {
            sharing.announceLastIn();
        } else {
            sharing.announce();
        }
    }

    /** Moves the former occupant of the last-in slot to the run queue. If that fails, it gets the slot back. */
    private void queueDisplaced(Runnable displaced) {
        try {
            runQueue.push(displaced);
        } catch (Throwable e) { // no memory
            if (lastIn.put(displaced) != null) {
                throw e; // its successor is out of the slot again, and not queued
            }
            // A thief has taken the successor, so both are where they will be run.
        }
    }

    /** Queues a coroutine without telling anybody: this worker is awake and will run it. */
    void requeue(Runnable runnable) {
        runQueue.push(runnable);
    }

    /** Sends a coroutine to this worker. Any thread may call it; it never blocks. */
    void arrive(Runnable runnable) {
        arrivals.take(runnable);
        sharing.wake(place);
        if (sharing.hasThieves()) {
            sharing.announce(); // this worker may be busy for long, and another free
        }
    }

    /** From here on, until {@link #stopGathering}, what is queued is not announced. */
    void startGathering() {
        gathering = true;
    }

    /** Announces what has gathered. One coroutine alone is left to this worker, which will run it next. */
    void stopGathering() {
        gathering = false;
        if (sharing.hasThieves() && runQueue.size() > 1) {
            sharing.announce();
        }
    }

    // Going.

    /** The next to run from the last-in slot or the run queue. */
    @Nullable
    Runnable next() {
        if (lastInRuns < LAST_IN_RUNS) {
            Runnable last = lastIn.take();
            if (last != null) {
                lastInRuns++;
                return last;
            }
        }
        lastInRuns = 0;
        Runnable first = runQueue.pop();
        return first != null ? first : lastIn.take();
    }

    @Nullable
    Runnable nextArrival() {
        return arrivals.poll();
    }

    boolean isEmpty() {
        return runQueue.isEmpty() && lastIn.isEmpty() && arrivals.isEmpty();
    }
}
