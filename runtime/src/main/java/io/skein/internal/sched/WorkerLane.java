package io.skein.internal.sched;

import io.skein.internal.io.CancelRequests;
import io.skein.internal.io.Lane;
import io.skein.internal.io.Operation;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;

/**
 * The way to one worker's driver.
 *
 * <p>Any thread may call it. The driver is touched on the worker's thread only, coroutines mounted on it included; what
 * comes from elsewhere is a message that the worker reads in its next turn, or a request to cancel.
 *
 * <p>A coroutine that could not give way when it wanted to wait holds the worker. The watchdog finds it and notes the number of
 * its run in {@code heldRun}. The note is about that one run: when the coroutine has given way, the number has moved on.
 */
final class WorkerLane implements Lane {
    /** How long a coroutine that drives in place sleeps before it looks at the messages again. */
    private static final long IN_PLACE_NANOS = 10_000_000;

    /** How long a coroutine that cannot give way for want of memory holds the worker. */
    private static final long STARVED_NANOS = 1_000_000_000;

    private final Worker worker;

    /** Anybody adds; the worker's thread alone takes. */
    private final MpscUnboundedVarHandleArrayQueue<Runnable> messages;

    private final CancelRequests cancels;

    /** The run in which a coroutine was found waiting, and since when. The watchdog writes both, the second first. */
    private volatile long heldRun;

    private long heldSinceNanos;

    WorkerLane(Worker worker, MpscUnboundedVarHandleArrayQueue<Runnable> messages, CancelRequests cancels) {
        this.worker = worker;
        this.messages = messages;
        this.cancels = cancels;
    }

    @Override
    public void start(Operation operation) {
        if (Worker.current() == worker) {
            worker.ownDriver().start(operation);
        } else {
            messages.offer(new Start(this, operation));
            worker.wake();
        }
    }

    /** The message that starts an operation; no lambda, since one that is linked when the heap is full may stay broken. */
    private record Start(WorkerLane lane, Operation operation) implements Runnable {
        @Override
        public void run() {
            lane.startHere(operation);
        }
    }

    /** Its waiter is elsewhere, so it hears of a failure by the result. */
    private void startHere(Operation operation) {
        int run = operation.run();
        try {
            worker.ownDriver().start(operation);
        } catch (Throwable e) { // the driver took nothing, for want of memory
            operation.fail(run);
        }
    }

    @Override
    public void cancel(Operation operation, int run) {
        cancels.add(operation, run);
        if (Worker.current() != worker) {
            worker.wake();
        } else if (messages.isEmpty()) { // its start may be among them, sent from elsewhere
            carryOutCancels();
        }
    }

    /** What cannot be carried out now is tried again in the worker's next turn. */
    private void carryOutCancels() {
        try {
            cancels.carryOut(worker.ownDriver());
        } catch (Throwable e) {
            // No memory or no stack; nothing is lost.
        }
    }

    // A coroutine that holds the worker while it waits.

    /** Makes a coroutine look again that waits and holds the worker. Called by the watchdog; allocates nothing. */
    void rescue(Thread waiting, long run) {
        if (heldRun != run) {
            heldSinceNanos = System.nanoTime();
            heldRun = run;
        }
        LockSupport.unpark(waiting);
    }

    @Override
    public boolean isHeldByCaller() {
        return Worker.current() == worker && heldRun == worker.runs();
    }

    /** The worker is unparked first: then a park that blocks it returns at once, and one that gives way does not notice. */
    @Override
    public boolean giveWay() {
        long run = worker.runs();
        LockSupport.unpark(worker.thread());
        LockSupport.park();
        if (Worker.current() != worker || worker.runs() != run) {
            return true;
        }
        checkNotStarved();
        return false;
    }

    /**
     * Fails if the caller holds the worker for want of memory, and has for too long: others may be who could free some. A yield
     * throws the error that a park swallows. One who is pinned does not yield; one who finds memory does, and waits on.
     */
    @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it
    void checkNotStarved() {
        if (isHeldByCaller() && System.nanoTime() - heldSinceNanos > STARVED_NANOS) {
            Thread.yield();
        }
    }

    @Override
    public void driveInPlace() {
        if (Worker.current() == worker) {
            worker.readMessages();
            worker.ownDriver().drive(Math.min(IN_PLACE_NANOS, worker.wheel().nanosToNext()));
            worker.wheel().expire();
        } else {
            Thread.onSpinWait();
        }
    }
}
