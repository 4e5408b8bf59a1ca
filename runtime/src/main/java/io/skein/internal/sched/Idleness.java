package io.skein.internal.sched;

import io.skein.internal.io.Driver;
import org.jspecify.annotations.Nullable;

/**
 * What one worker does when it has nothing of its own to run: it looks for work elsewhere, and when there is none, sleeps.
 *
 * <p>For the worker's thread only, and never from a coroutine that it carries: every field here, and the worker's
 * {@code searching}, which only this class writes. What is shared is behind it: others' queues are reached through their
 * {@link Backlog}, and the steps by which a sleeper and whoever publishes work find each other are those of
 * {@link IdleWorkers}, whose order is kept here.
 *
 * <ul>
 *   <li>Working to searching: {@link #findWork}, if not too many search; or a waker said so while it slept.
 *   <li>Searching to working: {@link #stopSearching}, before the first run of what was found.
 *   <li>Either to asleep and back: {@link #sleep}, which ends as it began: awake, and a searcher if somebody else woke it.
 * </ul>
 */
final class Idleness {
    /** How long a worker naps. */
    private static final long NAP_NANOS = 500_000;

    private final Worker worker;
    private final Crew crew;
    private final Bed bed;
    private final RunQueue runQueue;
    private final WorkerCounters counters;

    /** Whether its last search met a last-in slot that was left to its owner. */
    private boolean sawLastIn;

    Idleness(Worker worker, Crew crew, Bed bed, RunQueue runQueue, WorkerCounters counters) {
        this.worker = worker;
        this.crew = crew;
        this.bed = bed;
        this.runQueue = runQueue;
        this.counters = counters;
    }

    /** Looks for work that is not the worker's own, and takes the first it finds: one to run, and perhaps more to queue. */
    @Nullable
    Runnable findWork() {
        Runnable found = crew.pollGlobalInto(runQueue);
        if (found == null
                && crew.hasThieves()
                && (worker.searching || bed.idle().startSearching())) {
            worker.searching = true;
            sawLastIn = false;
            found = steal();
        }
        return found;
    }

    /** Having found work, the last searcher wakes another: there may be more. */
    void stopSearching() {
        worker.searching = false;
        if (bed.idle().stopSearching()) {
            crew.announce();
        }
    }

    private @Nullable Runnable steal() {
        Worker victim = crew.mostLoaded(worker);
        Runnable stolen = victim == null ? null : victim.backlog().stealInto(runQueue);
        if (stolen == null) {
            stolen = stealLastIn();
        }
        if (stolen != null) {
            counters.steal();
        }
        return stolen;
    }

    private @Nullable Runnable stealLastIn() {
        for (Worker victim : crew.workers()) {
            if (victim != worker && victim.backlog().hasLastIn()) {
                sawLastIn = true;
                Runnable stolen = victim.backlog().stealLastIn();
                if (stolen != null) {
                    return stolen;
                }
            }
        }
        return null;
    }

    /** Sleeps until there is something to do; the steps are told in {@link IdleWorkers}. Returns false to end. */
    boolean sleep() {
        if (worker.isStopping()) {
            return false;
        }
        boolean nap = sawLastIn;
        if (nap) {
            bed.idle().startNap();
        }
        boolean wasLastSearcher = bed.idle().fallAsleep(bed.id(), worker.searching);
        worker.searching = false;
        boolean nothing =
                !worker.isStopping() && !worker.hasOwnWork() && !crew.hasWorkFor(worker, wasLastSearcher, nap);
        counters.sleep();
        try {
            worker.drive(nothing ? Math.min(worker.wheel().nanosToNext(), nap ? NAP_NANOS : Driver.FOREVER) : 0);
        } finally {
            worker.searching = bed.idle().wakeUp(bed.id());
            if (nap) {
                endNap();
            }
        }
        if (worker.searching) {
            counters.wakeUp();
        }
        worker.scheduler().watchdog().workerWoke();
        return true;
    }

    /** What was put into a last-in slot meanwhile was left to this worker, which may now have better things to do. */
    private void endNap() {
        sawLastIn = false;
        bed.idle().endNap();
        if (crew.withLastIn(worker) != null) {
            crew.announce();
        }
    }
}
