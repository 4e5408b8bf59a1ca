package io.skein.internal.sched;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Has spare carriers run what is queued while every worker of a stealing runtime is held: by a coroutine that computes, that is in
 * native code, or that waits where it cannot give way. While one worker is free, it steals what is queued at the others, and nothing
 * happens here.
 *
 * <p>The {@link Watchdog} calls {@link #look} and any thread {@link #published}. At each look at which every worker is held and
 * coroutines are queued, one more spare begins a shift, up to as many as there are workers. A shift runs coroutines one
 * after the other until some worker has begun another run. A shift that finds nothing waits for what is published; only one does.
 *
 * <p>What it cannot do: the ring of a held worker is driven by that worker's thread alone, so the I/O and the timers that
 * were started there wait until the worker is released. I/O that is started meanwhile goes to a worker by message, and waits too.
 * A worker that is alone in its runtime has queues that nobody else may take from; what came from other threads is run.
 *
 * <p>A waiting shift and a publisher do not miss each other. The shift says that it waits and then looks at the queues; the
 * publisher queues and then looks whether a shift waits.
 */
final class Relief {
    /** How often a waiting shift looks whether it is still needed. */
    private static final long LOOK_NANOS = 10_000_000;

    private final Worker[] workers;
    private final WorkSharing sharing;
    private final AtomicInteger shifts = new AtomicInteger();
    private final AtomicReference<@Nullable Thread> waiting = new AtomicReference<>();
    private volatile boolean stopping;

    /** Made beforehand, because it is needed when the heap is full. */
    private final Consumer<Runnable> requeue;

    /** For workers that share their work. */
    Relief(Worker[] workers, WorkSharing sharing) {
        this.workers = workers;
        this.sharing = sharing;
        this.requeue = sharing::publish;
        boolean _ = new Shift(new long[0]).isNeeded(); // loads the class, which takes memory
    }

    /**
     * Begins another shift if there is something to run. Called by the watchdog when every worker is held.
     *
     * @param marks by worker: the mark of the run that holds it
     */
    void look(long[] marks) {
        if (waiting.get() != null || shifts.get() == workers.length || !sharing.hasAny()) {
            return;
        }
        shifts.getAndIncrement();
        boolean begun = false;
        try {
            begun = scheduler().spares().run(new Shift(marks.clone()));
        } finally {
            if (!begun) {
                shifts.getAndDecrement();
            }
        }
    }

    /** To be called after something was queued that any worker may take, and after a full fence. */
    void published() {
        Thread shift = waiting.get();
        if (shift != null) {
            LockSupport.unpark(shift);
        }
    }

    /** Ends all shifts. To be called after the watchdog has ended. */
    void stop() {
        stopping = true;
        published();
    }

    private Scheduler scheduler() {
        return workers[0].scheduler();
    }

    /** What one spare does. */
    private final class Shift implements Runnable {
        private final long[] marks;

        Shift(long[] marks) {
            this.marks = marks;
        }

        @Override
        public void run() {
            try {
                while (isNeeded()) {
                    Runnable next = sharing.takeAny();
                    if (next != null) {
                        serve(next);
                    } else if (!awaitPublished()) {
                        return;
                    }
                }
            } finally {
                shifts.getAndDecrement();
            }
        }

        private boolean isNeeded() {
            for (int i = 0; i < marks.length; i++) {
                if (workers[i].runs() != marks[i]) {
                    return false;
                }
            }
            return !stopping;
        }

        /** Waits for a moment; returns false if another shift does. */
        private boolean awaitPublished() {
            if (!waiting.compareAndSet(null, Thread.currentThread())) {
                return false;
            }
            try {
                if (!sharing.hasAny() && !stopping) {
                    LockSupport.parkNanos(Relief.this, LOOK_NANOS);
                }
            } finally {
                waiting.set(null);
            }
            return true;
        }

        private void serve(Runnable next) {
            try {
                if (next instanceof JdkPollers.Poller poller) {
                    poller.runAsGuestOf(scheduler());
                } else {
                    Runs.run(next, false);
                }
            } catch (Throwable e) {
                Runs.requeueIfLost(next, requeue);
            }
        }
    }
}
