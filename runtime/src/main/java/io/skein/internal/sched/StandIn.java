package io.skein.internal.sched;

import io.skein.internal.Headroom;
import io.skein.internal.time.Timekeeper;
import java.util.concurrent.locks.LockSupport;

/**
 * What one worker's coroutine does when its park has not made it give way: it does the worker's part until its wait is over.
 *
 * <p>A native frame or a class initialiser pins such a coroutine, or there was no memory to put its stack aside. The JDK then parks the
 * worker's own thread, which alone can fire the worker's timers and complete what was started there. So the thread keeps a
 * permit: it never parks itself, and a park of somebody who cannot give way returns at once. Whoever finds that its wait is not over parks
 * once more, because a permit of its own may have ended the first park, and then stands in for the worker: it drives, reads messages and
 * fires timers. What others are woken by that, other workers take; under pinning, and with one worker, they wait for the coroutine.
 *
 * <p>Its sleep in the driver ends when something completes, when a timer is due, and by whoever wakes the worker or unparks the coroutine.
 * That one sees the mark of who stands in, which is set before the wait is looked at for the last time. An interrupt has no such look,
 * so no sleep is longer than a moment.
 *
 * <p>A permit that other code has used up, such as a lock of {@code java.util.concurrent} in a class initialiser, is given back here. Until then a
 * park of the pinned coroutine blocks the worker, and the {@link Watchdog} unparks it.
 *
 * <p>On the worker's thread only, by the coroutine that is mounted there. It allocates nothing.
 */
final class StandIn {
    private static final long MOMENT_NANOS = 10_000_000;

    /** How long until it tries again to give way: without memory, each trial costs a collection. */
    private static final long RETRY_NANOS = 100_000_000;

    /** How long a coroutine that cannot give way for want of memory stands in. */
    private static final long STARVED_NANOS = 1_000_000_000;

    private static final Timekeeper.Wait ENDLESS = new Timekeeper.Wait() { // no lambda: see WorkerLane.Start
                @Override
                public boolean isWaiting() {
                    return true;
                }
            };

    private final Worker worker;

    /** The run in which somebody stood in last, and since when. */
    private long run = -1;

    private long sinceNanos;
    private boolean serving;

    /** Whether the worker's part has failed just now. */
    private boolean failed;

    StandIn(Worker worker) {
        this.worker = worker;
    }

    /** Does everything once, on the worker's own thread at its start, because what is done for the first time may take memory. */
    void rehearse() {
        renewPermit();
        boolean _ = giveWay();
        try {
            surviveDriving(ENDLESS);
        } catch (StackOverflowError e) {
            // The smallest stacks are too small for this: nobody stands in there.
        }
        failed = false;
        renewPermit();
    }

    /** Gives the worker's thread its permit, which somebody may have used up. */
    private void renewPermit() {
        LockSupport.unpark(worker.thread());
    }

    /** See {@link Timekeeper#giveWay}. */
    @SuppressWarnings("ThreadPriorityCheck") // it yields to know whether it can
    boolean giveWay() {
        long before = worker.runs();
        boolean hasRoom = hasRoom();
        if (hasRoom && !failed) {
            renewPermit();
        } // else this park waits for the watchdog: it may fail again
        failed = false;
        LockSupport.park();
        if (!hasRoom || hasLeft(before)) {
            return true;
        }
        renewPermit();
        if (run != before) {
            run = before;
            sinceNanos = System.nanoTime();
        }
        try {
            Thread.yield(); // two permits may have ended both parks, but no yield
        } catch (OutOfMemoryError e) { // which a park swallows
            if (System.nanoTime() - sinceNanos > STARVED_NANOS) {
                sinceNanos = System.nanoTime(); // who goes on waiting is told once a second
                throw e;
            }
        }
        return hasLeft(before);
    }

    /**
     * Whether there is stack for a yield. A thread that has yielded is run by other calls than one that was parked, and may have a
     * little less stack then.
     */
    private static boolean hasRoom() {
        try {
            Headroom.toBegin();
            return true;
        } catch (StackOverflowError e) {
            return false;
        }
    }

    private boolean hasLeft(long before) {
        return Worker.current() != worker || worker.runs() != before;
    }

    /** Whether the calling coroutine cannot give way, which it tries. */
    @SuppressWarnings("ThreadPriorityCheck")
    boolean isPinned() {
        long before = worker.runs();
        Headroom.toBegin();
        Thread.yield();
        return !hasLeft(before);
    }

    /** See {@link Timekeeper#standIn}. */
    void serve(Timekeeper.Wait wait) {
        long end = System.nanoTime() + RETRY_NANOS;
        try {
            while (!failed
                    && wait.isWaiting()
                    && Worker.current() == worker
                    && !Thread.currentThread().isInterrupted()
                    && System.nanoTime() - end < 0) {
                surviveDriving(wait);
                wait.look();
            }
        } finally {
            if (!wait.isWaiting()) {
                failed = false;
            }
            if (!failed) {
                renewPermit(); // a driver may have parked
            }
        }
    }

    /** What fails in the worker's part is no failure of the wait, as long as there is stack for it. */
    private void surviveDriving(Timekeeper.Wait wait) {
        Headroom.toBegin();
        try {
            drive(wait);
        } catch (Throwable e) {
            failed = true;
            worker.scheduler().reportDefect(worker, e);
        }
    }

    /** Drives for one that waits for its driver alone, whatever interrupts it and however little stack it has. */
    void drive() {
        drive(ENDLESS);
    }

    private void drive(Timekeeper.Wait wait) {
        serving = true;
        try {
            worker.driveInPlace(wait, MOMENT_NANOS);
        } finally {
            serving = false;
        }
    }

    /** Whether somebody stands in: he stays on this thread, whatever the JDK says of what he does. */
    boolean isServing() {
        return serving;
    }
}
