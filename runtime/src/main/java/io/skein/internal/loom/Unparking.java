package io.skein.internal.loom;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Unparking, with less than the JDK does for it where the thread's executor is one of ours. Any thread may call it.
 *
 * <p>By the JDK's own account a thread that is unparked is given a permit and steps from PARKED to UNPARKED, is handed to its executor,
 * steps from there to RUNNING, and has the permit taken away again. Here the waker queues a thread that it sees PARKED and leaves it so,
 * and the worker that comes to it steps it from PARKED to RUNNING: three locked instructions fewer.
 *
 * <pre>
 *   PARKED   -> RUNNING    run, by one compare-and-set: whoever makes a step from PARKED has the thread
 *   PARKED   -> UNPARKED   anybody's LockSupport.unpark or interrupt, as ever; the JDK then queues the thread too
 * </pre>
 *
 * <p>Why no wake-up is lost. A waker that does not see PARKED unparks as the JDK does, whose permit is seen by a thread that is about to park. One
 * that sees PARKED has queued the thread, and {@link #run} either steps it from PARKED, or hands out a permit: it is then running, or the
 * JDK has queued it, or somebody looks at its stack and submits it afterwards because of the permit. A thread that is
 * queued twice may find that it is woken for nothing, which {@link LockSupport#park} allows.
 *
 * <p>A thread that is queued looks parked meanwhile: its {@link Thread#getState} is WAITING and not RUNNABLE.
 */
public final class Unparking {
    /** An executor of virtual threads that queues them by itself. */
    public interface ParkedQueue {
        /**
         * Queues a thread, to be given to {@link #run} later.
         *
         * @return false, without an effect, if it is not one that this is the queue of
         */
        boolean queue(Thread parked);
    }

    /** A thread that a virtual thread may stand in for, when it cannot give way to wait: it sleeps as that thread does. */
    public interface Carrier {
        /** Ends such a sleep. Any thread may call it; it takes no memory. */
        void wakeWhoStandsIn();
    }

    /** How long to wait for memory where it cannot be done without. */
    private static final long MEMORY_RETRY_NANOS = 10_000_000;

    private Unparking() {}

    /**
     * To be called by a platform thread before it runs threads of a {@link ParkedQueue}, and before there are any: what is to be
     * initialised needs some stack and memory, of which a waker may be short.
     *
     * @return whether threads are run from where they parked; if not, all unparking is the JDK's
     */
    public static boolean prepare() {
        return ParkedThreads.available();
    }

    /** As {@link LockSupport#unpark}, but to be called once for each wait: a thread is queued as often as it is called while it is parked. */
    public static void unpark(@Nullable Thread thread) {
        if (thread == null || !thread.isVirtual() || !queue(thread)) {
            // The JDK only looks at a permit that is there already: what the caller wrote must be seen before that.
            VarHandle.fullFence();
            LockSupport.unpark(thread);
            if (thread != null && thread.isVirtual() && Loom.carrierOf(thread) instanceof Carrier carrier) {
                carrier.wakeWhoStandsIn();
            }
        }
    }

    private static boolean queue(Thread thread) {
        try {
            return Loom.available()
                    && Loom.executorOf(thread) instanceof ParkedQueue executor
                    && ParkedThreads.available()
                    && ParkedThreads.isParked(thread)
                    && executor.queue(thread);
        } catch (Throwable e) { // no memory or stack for it: the JDK may still have a way
            return false;
        }
    }

    /**
     * Ends a timed wait for which the JDK could not arm a timer, because it found no memory when the thread had given way
     * already: nobody would ever run that thread again. Its wait is over early, as any wait may be.
     *
     * @return whether the thread was in such a wait; then the caller has to run its continuation, or to queue it
     */
    public static boolean endUnarmedWait(Thread thread) {
        return ParkedThreads.available() && ParkedThreads.endUnarmedWait(thread);
    }

    /**
     * As {@link Thread#getStackTrace}, but keeps a thread that the JDK loses: while the JDK copies the stack of a parked thread, nobody
     * can run that thread, and whoever tries leaves it to the JDK to hand the thread to its executor afterwards. Without memory for
     * the copy the JDK does not get there.
     */
    public static StackTraceElement[] stackOf(Thread thread) {
        try {
            return thread.getStackTrace();
        } catch (Throwable e) {
            while (thread.isVirtual() && ParkedThreads.available() && !isResubmitted(thread)) {
                LockSupport.parkNanos(MEMORY_RETRY_NANOS);
            }
            throw e;
        }
    }

    private static boolean isResubmitted(Thread thread) {
        try {
            ParkedThreads.resubmit(thread);
            return true;
        } catch (Throwable e) { // still no memory
            return false;
        }
    }

    /** Runs a thread that was queued, on the calling platform thread; or does what makes somebody run it, if it can't be now. */
    public static void run(Thread queued) {
        if (!ParkedThreads.run(queued)) {
            LockSupport.unpark(queued);
        }
    }
}
