package io.skein.internal.sched;

import io.skein.Dispatch;
import io.skein.Metrics;
import io.skein.Scheduling;
import io.skein.internal.Uninterruptibly;
import io.skein.internal.loom.Loom;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a runtime. Any thread may call it.
 *
 * <p>Under stealing, a coroutine that is to run goes to the worker that wakes it, or to the global queue when no worker
 * does, and the workers have one {@link WorkSharing}. Under pinning it goes to its home worker, and each worker has a
 * {@code WorkSharing} of its own.
 */
final class Crew {
    private final Worker[] workers;
    private final Scheduler scheduler;
    private final boolean stealing;

    /** Of all workers. Under pinning only its global queue is there, and stays empty. */
    private final WorkSharing sharing;

    /** Null where no worker takes what is queued at another, or carries anybody. */
    private final @Nullable Relief relief;

    private final Dispatch dispatch;
    private final Dispatch anyone = Dispatch.roundRobin();

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
        public boolean isHeld(int worker) {
            return workers[worker].isHeld();
        }

        @Override
        public int current() {
            Worker here = Worker.current();
            return here != null && here.crew() == Crew.this ? here.id() : -1;
        }
    };

    Crew(Scheduler scheduler, SchedulerSettings settings) {
        this.scheduler = scheduler;
        stealing = settings.scheduling() == Scheduling.STEALING;
        dispatch = settings.dispatch();
        workers = new Worker[settings.workers()];
        SharedQueue global = new SharedQueue();
        sharing = new WorkSharing(workers.length, global, place -> workers[place].signal());
        for (int i = 0; i < workers.length; i++) {
            int id = i;
            workers[id] = stealing
                    ? new Worker(id, scheduler, this, sharing, id, settings)
                    : new Worker(
                            id, scheduler, this, new WorkSharing(1, global, _ -> workers[id].signal()), 0, settings);
        }
        relief = stealing && Loom.available() ? new Relief(workers, sharing) : null;
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

    @Nullable
    Relief relief() {
        return relief;
    }

    /** Some worker, for who has none; one that is not held, if there is one. */
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

    /** Queues a turn of one of the JDK's pollers: where it yields, or at any worker. */
    void scheduleGuest(Runnable turn) {
        Worker here = Worker.current();
        if (here != null && here.crew() == this) {
            here.schedule(turn);
        } else if (stealing) {
            publish(turn);
        } else {
            any().arrive(turn);
        }
    }

    /** Queues what is to run again: where it is woken under stealing, at home under pinning. It never blocks. */
    void schedule(Runnable runnable, @Nullable Worker home) {
        Worker here = Worker.current();
        if (stealing || home == null) {
            if (here != null && here.crew() == this) {
                here.schedule(runnable);
            } else {
                publish(runnable);
                JdkPollers.wakes(scheduler);
            }
        } else if (here == home) {
            here.schedule(runnable);
        } else {
            home.arrive(runnable);
            JdkPollers.wakes(scheduler);
        }
    }

    private void publish(Runnable runnable) {
        sharing.publish(runnable);
        if (relief != null) {
            relief.published();
        }
    }

    /** As {@link #schedule}, but takes no memory, and fairness comes second. */
    void scheduleInReserve(SpawnedCoroutine<?> coroutine, @Nullable Worker home) {
        Worker here = Worker.current();
        if (!stealing && home != null) {
            home.arriveInReserve(coroutine);
        } else if (here != null && here.crew() == this) {
            here.arriveInReserve(coroutine);
        } else {
            workers[(int) (coroutine.thread().threadId() % workers.length)].arriveInReserve(coroutine);
        }
    }

    /** Queues a coroutine for the first time: at home, if it has one. */
    void scheduleFirst(Runnable runnable, @Nullable Worker home) {
        if (home != null && home != Worker.current()) {
            home.arrive(runnable);
            if (relief != null) {
                relief.published();
            }
        } else {
            schedule(runnable, home);
        }
    }

    Metrics metrics(long liveCoroutines, Metrics.Sockets sockets) {
        return new Metrics(
                liveCoroutines,
                sharing.global().size(),
                Arrays.stream(workers).map(Worker::metrics).toList(),
                sockets);
    }
}
