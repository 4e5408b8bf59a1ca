package io.skein.internal.sched;

import io.skein.internal.loom.Loom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

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

        /** Its number, as the maps know it. */
        private final Long id;

        private final AtomicBoolean forgotten = new AtomicBoolean();

        private final long sinceNanos = System.nanoTime();

        /** Written before the first run. Who fails to queue it for that is the only one who reads it. */
        private boolean begun;

        Adopted(Thread thread, Runnable continuation) {
            this.thread = thread;
            this.continuation = continuation;
            this.id = thread.threadId();
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

        /** Counts the thread out, once. Tries until it has done so, because nobody else will, and a stop would wait for ever. */
        private void forget() {
            if (!forgotten.compareAndSet(false, true)) {
                return;
            }
            while (true) {
                try {
                    threads.remove(id); // may be done again, and does nothing then
                    scheduler.libraryThreads().ended(id);
                    break;
                } catch (OutOfMemoryError e) {
                    Scheduler.awaitMemory();
                }
            }
            scheduler.population().leave();
        }
    }

    private final Scheduler scheduler;
    private final ConcurrentSkipListMap<Long, Adopted> threads = new ConcurrentSkipListMap<>();

    AdoptedThreads(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** What a worker is to run for a continuation that is not a coroutine's own; null the first time. */
    @Nullable
    Adopted find(Runnable continuation) {
        return threads.get(Loom.threadOf(continuation).threadId());
    }

    /** Adopts the thread of a continuation. */
    Adopted adopt(Runnable continuation) {
        Thread thread = Loom.threadOf(continuation);
        Adopted adopted = new Adopted(thread, continuation);
        scheduler.population().enter(true); // started by a coroutine, so from inside
        try {
            threads.put(adopted.id, adopted);
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
