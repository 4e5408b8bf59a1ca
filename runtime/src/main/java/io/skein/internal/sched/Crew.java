package io.skein.internal.sched;

import io.skein.Dispatch;
import io.skein.Metrics;
import io.skein.Scheduling;
import io.skein.internal.Uninterruptibly;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a runtime and what they share: the global queue, and who sleeps. Any thread may call it.
 *
 * <p>Under stealing, a coroutine that is to run goes to the worker that wakes it, or to the global queue when no worker
 * does, and {@link #announce} wakes a sleeper if one should be. Under pinning it goes to its home worker, and each worker
 * has an {@link IdleWorkers} of its own, so that they share no cache line.
 */
final class Crew {
    private final Worker[] workers;
    private final boolean stealing;

    /** Whether workers take from each other. */
    private final boolean thieves;

    private final SharedQueue global = new SharedQueue();
    private final IdleWorkers idle;
    private final Dispatch dispatch;
    private final Dispatch anyone = Dispatch.roundRobin();

    /** Threads that have taken a sleeper's bit and may not have signalled its driver yet. */
    private final AtomicInteger signallers = new AtomicInteger();

    private final Dispatch.Workers view = new Dispatch.Workers() {
        @Override
        public int count() {
            return workers.length;
        }

        @Override
        public int load(int worker) {
            return workers[worker].backlog().load();
        }

        @Override
        public int current() {
            Worker here = Worker.current();
            return here != null && here.crew() == Crew.this ? here.id() : -1;
        }
    };

    Crew(Scheduler scheduler, SchedulerSettings settings) {
        stealing = settings.scheduling() == Scheduling.STEALING;
        thieves = stealing && settings.workers() > 1;
        dispatch = settings.dispatch();
        idle = new IdleWorkers(settings.workers());
        workers = new Worker[settings.workers()];
        for (int id = 0; id < workers.length; id++) {
            Bed bed = stealing ? new Bed(idle, id) : new Bed(new IdleWorkers(1), 0);
            workers[id] = new Worker(id, scheduler, this, bed, settings);
        }
    }

    void start() throws IOException {
        for (Worker worker : workers) {
            worker.start();
        }
        for (Worker worker : workers) {
            worker.awaitOpened();
        }
    }

    /** Steps 3 to 5 of a stop: ends the loops and joins the threads. */
    void stop() {
        for (Worker worker : workers) {
            worker.requestStop();
        }
        for (Worker worker : workers) {
            Uninterruptibly.run(worker::join);
        }
    }

    Worker[] workers() {
        return workers;
    }

    /** Where run queues spill to under stealing. */
    SharedQueue global() {
        return global;
    }

    /** Some worker, for who has none. */
    Worker any() {
        return workers[anyone.choose(view)];
    }

    /**
     * The worker that a new coroutine is for.
     *
     * @param wanted how to choose, or null for the default
     * @return null when any worker will do: under stealing, when nobody asked for a particular one
     */
    @Nullable
    Worker home(@Nullable Dispatch wanted) {
        if (wanted == null && stealing && (dispatch == SchedulerSettings.DEFAULT_DISPATCH || view.current() >= 0)) {
            return null;
        }
        int chosen = (wanted == null ? dispatch : wanted).choose(view);
        if (chosen < 0 || chosen >= workers.length) {
            throw new IndexOutOfBoundsException(
                    "worker " + chosen + " of " + workers.length + ": there is no such worker");
        }
        return workers[chosen];
    }

    /** Queues what is to run again: where it is woken under stealing, at home under pinning. It never blocks. */
    void schedule(Runnable runnable, @Nullable Worker home) {
        Worker here = Worker.current();
        if (stealing || home == null) {
            if (here != null && here.crew() == this) {
                here.schedule(runnable);
            } else {
                global.take(runnable);
                announce();
            }
        } else if (here == home) {
            here.schedule(runnable);
        } else {
            home.arrive(runnable);
        }
    }

    /** Queues a coroutine for the first time: at home, if it has one. */
    void scheduleFirst(Runnable runnable, @Nullable Worker home) {
        if (home != null && home != Worker.current()) {
            home.arrive(runnable);
        } else {
            schedule(runnable, home);
        }
    }

    // Waking.

    /** To be called after work was published that any worker may take: wakes one if one should be woken. */
    void announce() {
        if (stealing) {
            VarHandle.fullFence(); // the work before the look at the counts
            if (idle.shouldWake()) {
                signallers.getAndIncrement();
                try {
                    signal(idle.wakeOne());
                } finally {
                    signallers.getAndDecrement();
                }
            }
        }
    }

    /** To be called after work was published for one worker alone. */
    void wake(Worker worker) {
        VarHandle.fullFence(); // the work before the look at the bit
        Bed bed = worker.bed();
        if (bed.idle().isAsleep(bed.id())) {
            signallers.getAndIncrement();
            try {
                int woken = bed.idle().wake(bed.id());
                if (stealing) {
                    signal(woken);
                } else if (woken >= 0) {
                    worker.signal();
                }
            } finally {
                signallers.getAndDecrement();
            }
        }
    }

    private void signal(int worker) {
        if (worker >= 0) {
            workers[worker].signal();
        }
    }

    /**
     * Waits until nobody can still be about to signal the calling worker, which is awake for good. Whoever took its bit
     * has counted as a signaller before, and that lasts for a system call.
     */
    void awaitSignallers() {
        while (signallers.get() != 0) {
            Thread.onSpinWait();
        }
    }

    // What a worker looks for when it has nothing of its own.

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

    boolean hasThieves() {
        return thieves;
    }

    /** The other worker with the most to run, or null when none has anything queued. */
    @Nullable
    Worker mostLoaded(Worker thief) {
        Worker most = null;
        int load = 0;
        for (Worker worker : workers) {
            if (worker != thief && worker.backlog().queued() > load) {
                load = worker.backlog().queued();
                most = worker;
            }
        }
        return most;
    }

    /** Another worker whose last-in slot is taken, or null. */
    @Nullable
    Worker withLastIn(Worker thief) {
        for (Worker worker : workers) {
            if (worker != thief && worker.backlog().hasLastIn()) {
                return worker;
            }
        }
        return null;
    }

    /**
     * The look that a worker takes after it said that it sleeps.
     *
     * @param everywhere whether it was the last searcher, and so has to look at the other workers' queues too
     * @param nap whether it will look at last-in slots soon, whatever happens
     */
    boolean hasWorkFor(Worker worker, boolean everywhere, boolean nap) {
        if (!stealing) {
            return false;
        }
        boolean elsewhere = everywhere && (mostLoaded(worker) != null || (!nap && withLastIn(worker) != null));
        return elsewhere || !global.isEmpty();
    }

    Metrics metrics(long liveCoroutines) {
        return new Metrics(
                liveCoroutines,
                global.size(),
                Arrays.stream(workers).map(Worker::metrics).toList());
    }
}
