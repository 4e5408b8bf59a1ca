package io.skein.internal.sched;

import io.skein.internal.loom.Loom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The virtual threads that libraries start inside coroutines. They inherit the coroutine's executor, so they run on the
 * workers; here they are counted, so that a stop waits for them and an interrupt to all reaches them.
 *
 * <p>Any thread may call it. Workers do, so the map is lock-free.
 */
final class AdoptedThreads {
    /** A thread that was adopted, as a worker runs it. */
    final class Adopted implements Runnable {
        private final Thread thread;
        private final Runnable continuation;

        private final long sinceNanos = System.nanoTime();

        /** Written before the first run. Who fails to queue it for that is the only one who reads it. */
        private boolean begun;

        Adopted(Thread thread, Runnable continuation) {
            this.thread = thread;
            this.continuation = continuation;
        }

        Thread thread() {
            return thread;
        }

        /** When it was started. */
        long sinceNanos() {
            return sinceNanos;
        }

        /** Forgets the thread if it has not begun: the caller could not queue it, so it does not start. */
        void notQueued() {
            if (!begun) {
                forget();
            }
        }

        /** Runs the thread until it gives way, and forgets it if that was its end. */
        @Override
        public void run() {
            begun = true;
            continuation.run();
            if (!thread.isAlive()) {
                forget();
            }
        }

        private void forget() {
            if (threads.remove(thread.threadId()) != null) {
                scheduler.libraryThreads().ended(thread);
                scheduler.population().leave();
            }
        }
    }

    private final Scheduler scheduler;
    private final ConcurrentSkipListMap<Long, Adopted> threads = new ConcurrentSkipListMap<>();

    AdoptedThreads(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** What a worker is to run for a continuation that is not a coroutine's own; the first time, its thread is adopted. */
    Adopted adopt(Runnable continuation) {
        Thread thread = Loom.threadOf(continuation);
        Adopted known = threads.get(thread.threadId());
        if (known != null) {
            return known;
        }
        Adopted adopted = new Adopted(thread, continuation);
        scheduler.population().enter(true); // started by a coroutine, so from inside
        try {
            threads.put(thread.threadId(), adopted);
        } catch (Throwable e) { // no memory: it does not start
            scheduler.population().leave();
            throw e;
        }
        if (scheduler.isInterrupting()) {
            thread.interrupt();
        }
        return adopted;
    }

    List<Adopted> all() {
        return new ArrayList<>(threads.values());
    }
}
