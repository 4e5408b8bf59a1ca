package io.skein.internal.sched;

import io.skein.internal.io.Driver;
import io.skein.internal.time.Timekeeper;
import org.jspecify.annotations.Nullable;

/**
 * What one worker does when it has nothing of its own to run: it looks for work elsewhere, and when there is none, sleeps.
 *
 * <p>For the worker's thread only, and never from a coroutine that it carries, but for {@link #sleepInPlace}. What is shared is
 * behind it: the others' queues and the steps of {@link IdleWorkers}, by which a sleeper and whoever publishes work find each
 * other, are reached through {@link WorkSharing}. The order of the sleeper's steps is kept here.
 *
 * <ul>
 *   <li>Working to searching: {@link #findWork}, if not too many search; or a waker said so while it slept.
 *   <li>Searching to working: {@link #stopSearching}, before the first run of what was found.
 *   <li>Either to asleep and back: {@link #sleep}, which ends as it began: awake, and a searcher if somebody else woke it.
 * </ul>
 */
final class Idleness {
    /** The worker itself. */
    interface Host {
        /** Whether it is to end as soon as it has nothing to run. */
        boolean isStopping();

        /** Whether something waits that was queued at this worker, or sent to it. */
        boolean hasOwnWork();

        /** Whether something waits that was sent to its driver: a message or a cancel. */
        boolean hasMessages();

        /** How long from now no timer of it will be due. */
        long nanosToNextTimer();

        /** Hands over what was started and completes what has finished; sleeps until then, if nothing has. */
        void drive(long timeoutNanos);

        /** As {@link #drive}, but does nothing else, and announces at once whom it wakes. */
        void driveOnly(long timeoutNanos);

        /** Called before each sleep, when everything has run that there was. */
        void goesToSleep();

        /** Called after each sleep. */
        void woke();
    }

    /** How long a worker naps. */
    static final long NAP_NANOS = 500_000;

    private final Host host;
    private final WorkSharing sharing;
    private final IdleWorkers idle;
    private final int place;
    private final RunQueue runQueue;
    private final WorkerCounters counters;

    /** Whether the worker counts as a searcher in {@link IdleWorkers}. */
    private boolean searching;

    /** Whether its last search met a last-in slot that was left to its owner. */
    private boolean sawLastIn;

    /** Whether the sleep is a nap. */
    private boolean napping;

    /** For the worker at a place of the sharing. */
    Idleness(Host host, WorkSharing sharing, int place, RunQueue runQueue, WorkerCounters counters) {
        this.host = host;
        this.sharing = sharing;
        this.idle = sharing.idle();
        this.place = place;
        this.runQueue = runQueue;
        this.counters = counters;
    }

    boolean isSearching() {
        return searching;
    }

    /** Looks for work that is not the worker's own, and takes the first it finds: one to run, and perhaps more to queue. */
    @Nullable
    Runnable findWork() {
        sawLastIn = false;
        Runnable found = sharing.pollGlobalInto(runQueue);
        if (found == null && sharing.hasThieves() && (searching || idle.startSearching())) {
            searching = true;
            found = steal();
        }
        return found;
    }

    /** Having found work, the last searcher wakes another: there may be more. */
    void stopSearching() {
        searching = false;
        if (idle.stopSearching()) {
            sharing.announce();
        }
    }

    private @Nullable Runnable steal() {
        Runnable stolen = sharing.steal(place, runQueue);
        if (stolen == null) {
            stolen = stealLastIn();
        }
        if (stolen != null) {
            counters.steal();
        }
        return stolen;
    }

    private @Nullable Runnable stealLastIn() {
        int victim = sharing.withLastIn(place, 0);
        while (victim >= 0) {
            sawLastIn = true;
            Runnable stolen = sharing.stealLastIn(victim);
            if (stolen != null) {
                return stolen;
            }
            victim = sharing.withLastIn(place, victim + 1);
        }
        return null;
    }

    /** Sleeps until there is something to do. Returns false to end. */
    boolean sleep() {
        if (host.isStopping()) {
            return false;
        }
        long timeoutNanos = fallAsleep();
        counters.sleep();
        host.goesToSleep();
        try {
            host.drive(timeoutNanos);
        } finally {
            wakeUp();
            host.woke();
        }
        return true;
    }

    /**
     * The entry to sleep, up to the second look: steps 1 to 3 in {@link IdleWorkers}.
     *
     * @return how long to sleep: 0 if there was something
     */
    long fallAsleep() {
        napping = sawLastIn;
        if (napping) {
            idle.startNap();
        }
        boolean noneSearches = idle.fallAsleep(place, searching);
        searching = false;
        boolean nothing = !host.isStopping() && !host.hasOwnWork() && !sharing.hasWorkFor(place, noneSearches, napping);
        return nothing ? Math.min(host.nanosToNextTimer(), napping ? NAP_NANOS : Driver.FOREVER) : 0;
    }

    /** The exit from sleep. */
    void wakeUp() {
        searching = idle.wakeUp(place);
        if (searching) {
            counters.wakeUp();
        }
        if (napping) {
            endNap();
        }
    }

    /**
     * Sleeps in place of the worker, for a coroutine that {@linkplain StandIn stands in}, until it is woken, but for no longer than a
     * time. Whoever ends its wait or sends the worker a message does so before the look at the mark; the coroutine sets the mark before its
     * last look at both: one of the two sees the other.
     */
    void sleepInPlace(Timekeeper.Wait wait, long longestNanos) {
        sharing.standIn(place);
        try {
            boolean nothing = wait.isWaiting() && !host.hasMessages();
            host.driveOnly(nothing ? Math.min(longestNanos, host.nanosToNextTimer()) : 0);
        } finally {
            sharing.endStandIn(place);
        }
    }

    /** What was put into a last-in slot meanwhile was left to this worker, which may now have better things to do. */
    private void endNap() {
        sawLastIn = false;
        napping = false;
        idle.endNap();
        if (sharing.withLastIn(place, 0) >= 0) {
            sharing.announce();
        }
    }
}
