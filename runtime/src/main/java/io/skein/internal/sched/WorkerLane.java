package io.skein.internal.sched;

import io.skein.internal.io.CancelRequests;
import io.skein.internal.io.Lane;
import io.skein.internal.io.Operation;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;

/**
 * The way to one worker's driver.
 *
 * <p>Any thread may call it. The driver is touched on the worker's thread only, coroutines mounted on it included; what
 * comes from elsewhere is a message that the worker reads in its next turn, or a request to cancel.
 */
final class WorkerLane implements Lane {
    private final Worker worker;

    /** Anybody adds; the worker's thread alone takes. */
    private final MpscUnboundedVarHandleArrayQueue<Runnable> messages;

    private final CancelRequests cancels;

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

    @Override
    public void driveInPlace() {
        Worker here = Worker.current();
        if (here != null) {
            here.standIn()
                    .drive(); // its own at least: the other may be held by somebody who waits for this one likewise
        } else {
            Thread.onSpinWait();
        }
    }
}
