package io.skein.internal.sched;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Workers that take each other's work: the global queue, what each may take from the others, and the set of idle workers.
 *
 * <p>Any thread may call it, once every worker has {@linkplain #enter entered}. It knows queues and numbers, and no thread
 * and no driver: a worker is its place here, and to signal one is left to the runtime. Under pinning each worker has a
 * {@code WorkSharing} of its own and is alone in it, so that pinned workers share no cache line.
 *
 * <p>The publisher's side of the protocol of {@link IdleWorkers} is here: {@link #announce} and {@link #wake} come after the
 * work was published. The sleeper's side is in {@link Idleness}; the look that it takes after it has set its bit is
 * {@link #hasWorkFor}.
 */
final class WorkSharing {
    private final IdleWorkers idle;
    private final SharedQueue global;

    /** By place. Written before the first worker starts. */
    private final Backlog[] backlogs;

    private final IntConsumer signal;

    /** Threads that have taken a sleeper's bit and may not have signalled its driver yet. */
    private final AtomicInteger signallers = new AtomicInteger();

    /**
     * For so many workers, all awake, with nothing to run.
     *
     * @param signal ends the sleep of the worker at a place; called by the thread that took this worker's bit
     */
    WorkSharing(int workers, SharedQueue global, IntConsumer signal) {
        this.idle = new IdleWorkers(workers);
        this.global = global;
        this.backlogs = new Backlog[workers];
        this.signal = signal;
    }

    /** Shows the others what waits at a place. Called once for each place, before any worker starts. */
    void enter(int place, Backlog backlog) {
        backlogs[place] = backlog;
    }

    IdleWorkers idle() {
        return idle;
    }

    SharedQueue global() {
        return global;
    }

    /** Whether workers take from each other. */
    boolean hasThieves() {
        return backlogs.length > 1;
    }

    // Publishing.

    /** Queues work that any worker may take. */
    void publish(Runnable runnable) {
        global.take(runnable);
        announce(Math.max(1, global.size()));
    }

    /** To be called after work was published that any worker may take: wakes one if one should be woken. */
    void announce() {
        announce(1);
    }

    private void announce(int queued) {
        VarHandle.fullFence(); // the work before the look at the counts
        if (idle.shouldWake(queued)) {
            signallers.getAndIncrement();
            try {
                signal(idle.wakeOne(queued));
            } finally {
                signallers.getAndDecrement();
            }
        }
    }

    /** To be called after a last-in slot was filled: a worker that naps will look at the slots soon. */
    void announceLastIn() {
        if (!idle.isAnyNapping()) { // the slot is filled by an atomic exchange, so before this look
            announce();
        }
    }

    /** To be called after work was published for one worker alone. */
    void wake(int place) {
        VarHandle.fullFence(); // the work before the look at the bit
        if (idle.isAsleep(place)) {
            signallers.getAndIncrement(); // before the bit is taken: see awaitSignallers
            try {
                signal(idle.wake(place));
            } finally {
                signallers.getAndDecrement();
            }
        } else {
            wakeStandIn(place);
        }
    }

    /** Ends the sleep of who {@linkplain #standIn stands in} at a place. After a full fence: what it is woken for comes before this look. */
    void wakeStandIn(int place) {
        if (idle.isStoodIn(place)) {
            signallers.getAndIncrement();
            try {
                if (idle.endStandIn(place)) {
                    signal.accept(place);
                }
            } finally {
                signallers.getAndDecrement();
            }
        }
    }

    /**
     * Says that a coroutine that cannot give way sleeps in the worker's driver in place of the worker. The worker stays counted as awake: it
     * takes no work of others. The coroutine looks once more whether it is to sleep, and then {@link #wake} or {@link #wakeStandIn} ends that.
     */
    void standIn(int place) {
        idle.standIn(place);
    }

    void endStandIn(int place) {
        boolean _ = idle.endStandIn(place);
    }

    private void signal(int place) {
        if (place >= 0) {
            signal.accept(place);
        }
    }

    /**
     * Waits until no thread can still be about to signal the calling worker, which is awake for good. A thread that took
     * the worker's bit has counted as a signaller before, and counts for as long as a system call takes.
     */
    void awaitSignallers() {
        while (signallers.get() != 0) {
            Thread.onSpinWait();
        }
    }

    // Searching.

    @Nullable
    Runnable pollGlobal() {
        return global.poll();
    }

    /** One to run from the global queue, and more of it for the worker's own queue. */
    @Nullable
    Runnable pollGlobalInto(RunQueue mine) {
        Runnable first = global.poll();
        if (first != null) {
            global.moveTo(mine, mine.capacity() / 2);
        }
        return first;
    }

    /**
     * Takes one to run from the queues of the other workers, and more for the thief's own. It begins with the worker that has
     * the most queued. Where another thief is faster, it goes on until it has tried every worker.
     */
    @Nullable
    Runnable steal(int thief, RunQueue mine) {
        int first = mostLoaded(thief);
        if (first < 0) {
            return null;
        }
        for (int i = 0; i < backlogs.length; i++) {
            int victim = (first + i) % backlogs.length;
            Runnable stolen = victim == thief ? null : backlogs[victim].stealInto(mine);
            if (stolen != null) {
                return stolen;
            }
        }
        return null;
    }

    /** The place of the other worker with the most to run, or -1 when none has anything queued. */
    private int mostLoaded(int thief) {
        int most = -1;
        int load = 0;
        for (int place = 0; place < backlogs.length; place++) {
            int queued = place == thief ? 0 : backlogs[place].queued();
            if (queued > load) {
                load = queued;
                most = place;
            }
        }
        return most;
    }

    /** The place of the first other worker, from a place on, whose last-in slot is taken; -1 when there is none. */
    int withLastIn(int thief, int from) {
        for (int place = from; place < backlogs.length; place++) {
            if (place != thief && backlogs[place].hasLastIn()) {
                return place;
            }
        }
        return -1;
    }

    /** Takes what a worker is to run next, if that worker does not get to it soon. */
    @Nullable
    Runnable stealLastIn(int victim) {
        return backlogs[victim].stealLastIn();
    }

    // For a thread that is no worker.

    /** Takes one to run from wherever one waits, if it may be taken. */
    @Nullable
    Runnable takeAny() {
        Runnable taken = global.poll();
        for (int place = 0; taken == null && place < backlogs.length; place++) {
            taken = backlogs[place].stealOne();
        }
        if (taken == null && hasThieves()) {
            for (int place = 0; taken == null && place < backlogs.length; place++) {
                taken = backlogs[place].stealLastIn();
            }
        }
        return taken;
    }

    /** Whether {@link #takeAny} may find something. */
    boolean hasAny() {
        if (!global.isEmpty()) {
            return true;
        }
        for (Backlog backlog : backlogs) {
            if (hasThieves() ? backlog.size() > 0 : backlog.hasArrivals()) {
                return true;
            }
        }
        return false;
    }

    /**
     * The look that a worker takes after it has set its bit and counted itself out: at what is not its own.
     *
     * @param everywhere whether no worker searches now, so that this one has to look at the other workers' queues too
     * @param nap whether it will look at last-in slots soon, whatever happens
     */
    boolean hasWorkFor(int sleeper, boolean everywhere, boolean nap) {
        boolean elsewhere = everywhere && (mostLoaded(sleeper) >= 0 || (!nap && withLastIn(sleeper, 0) >= 0));
        return elsewhere || !global.isEmpty();
    }
}
