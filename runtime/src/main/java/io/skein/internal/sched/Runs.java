package io.skein.internal.sched;

import io.skein.internal.loom.Loom;
import io.skein.internal.loom.Unparking;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** How what is queued is run, by a worker or by a spare carrier. */
final class Runs {
    private Runs() {}

    /**
     * Runs a thread that was queued until it gives way. Nothing that is thrown here is the coroutine's own failure, which is its
     * outcome: the JDK, or the caller, had no memory to finish what follows on a run. Then {@link #requeueIfLost} is to be called.
     *
     * @param fromReserve whether it was in a {@link ReserveQueue}
     */
    static void run(Runnable queued, boolean fromReserve) {
        if (queued instanceof SpawnedCoroutine<?> coroutine) { // queued as itself; else by its continuation
            coroutine.goOn(fromReserve);
        } else {
            queued.run();
        }
    }

    /**
     * Queues a thread again that the JDK has forgotten because it could not arm a timer for the thread's timed wait: such a thread wakes early
     * instead. Tries until it has done so, because nobody else will.
     */
    static void requeueIfLost(Runnable queued, Consumer<Runnable> requeue) {
        boolean lost = false;
        while (true) {
            try {
                lost = lost || Unparking.endUnarmedWait(threadOf(queued));
                if (lost) {
                    requeue.accept(queued instanceof SpawnedCoroutine<?> own ? own.continuation() : queued);
                }
                return;
            } catch (Throwable e) { // no memory: for the overflow of a full run queue, or to link one of these calls
                LockSupport.parkNanos(Worker.MEMORY_RETRY_NANOS);
            }
        }
    }

    /** The virtual thread that is queued. It allocates nothing. */
    static Thread threadOf(Runnable queued) {
        if (queued instanceof SpawnedCoroutine<?> parked) {
            return parked.thread();
        }
        if (queued instanceof JdkPollers.Poller poller) {
            return poller.thread();
        }
        return queued instanceof AdoptedThreads.Adopted adopted ? adopted.thread() : Loom.threadOf(queued);
    }
}
