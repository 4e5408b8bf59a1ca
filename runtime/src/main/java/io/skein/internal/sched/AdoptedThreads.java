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
    private final class Adopted implements Runnable {
        private final Thread thread;
        private final Runnable continuation;

        Adopted(Thread thread, Runnable continuation) {
            this.thread = thread;
            this.continuation = continuation;
        }

        /** Runs the thread until it gives way, and forgets it if that was its end. */
        @Override
        public void run() {
            continuation.run();
            if (!thread.isAlive() && threads.remove(thread.threadId()) != null) {
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
    Runnable adopt(Runnable continuation) {
        Thread thread = Loom.threadOf(continuation);
        Adopted known = threads.get(thread.threadId());
        if (known != null) {
            return known;
        }
        Adopted adopted = new Adopted(thread, continuation);
        scheduler.population().enter(true); // started by a coroutine, so from inside
        threads.put(thread.threadId(), adopted);
        if (scheduler.isInterrupting()) {
            thread.interrupt();
        }
        return adopted;
    }

    List<Thread> all() {
        List<Thread> all = new ArrayList<>();
        threads.values().forEach(adopted -> all.add(adopted.thread));
        return all;
    }
}
