package io.skein.internal.sched;

import io.skein.internal.loom.Loom;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The virtual threads that libraries start inside coroutines. They inherit the coroutine's executor, so they run on the
 * workers; here they are counted, so that a stop waits for them and an interrupt to all reaches them.
 *
 * <p>Any thread may call it. A worker calls {@link #ran}, so the set is lock-free.
 */
final class AdoptedThreads {
    private final Scheduler scheduler;
    private final ConcurrentSkipListMap<Long, Thread> threads = new ConcurrentSkipListMap<>();

    AdoptedThreads(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Notes the thread of a continuation that is about to be queued, the first time. */
    void admit(Runnable continuation) {
        Thread thread = Loom.threadOf(continuation);
        if (!threads.containsKey(thread.threadId())) {
            scheduler.population().enter(true); // started by a coroutine, so from inside
            threads.put(thread.threadId(), thread);
            if (scheduler.isInterrupting()) {
                thread.interrupt();
            }
        }
    }

    /** Forgets the thread of a continuation that has just run, if that was its last run. */
    void ran(Runnable continuation) {
        Thread thread = Loom.threadOf(continuation);
        if (!thread.isAlive() && threads.remove(thread.threadId()) != null) {
            scheduler.population().leave();
        }
    }

    Iterable<Thread> all() {
        return threads.values();
    }
}
