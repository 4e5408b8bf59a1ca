package io.skein.internal.sched;

import io.skein.internal.io.Lane;
import io.skein.internal.io.Operation;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The way to one worker's driver.
 *
 * <p>Any thread may call it. The driver is touched on the worker's thread only, coroutines mounted on it included; what
 * comes from elsewhere is a message that the worker reads in its next turn. {@code heldBy} is set by the watchdog and
 * taken back by the coroutine that it names.
 */
final class WorkerLane implements Lane {
    /** How long a coroutine that drives in place sleeps before it looks at the messages again. */
    private static final long IN_PLACE_NANOS = 10_000_000;

    private final Worker worker;
    private final Crew crew;

    /** Anybody adds; the worker's thread alone takes. */
    private final MpscUnboundedVarHandleArrayQueue<Runnable> messages;

    /** The thread that the watchdog found waiting while it holds the worker, or null. */
    private volatile @Nullable Thread heldBy;

    WorkerLane(Worker worker, Crew crew, MpscUnboundedVarHandleArrayQueue<Runnable> messages) {
        this.worker = worker;
        this.crew = crew;
        this.messages = messages;
    }

    @Override
    public void start(Operation operation) {
        if (Worker.current() == worker) {
            worker.ownDriver().start(operation);
        } else {
            send(() -> worker.ownDriver().start(operation));
        }
    }

    @Override
    public void cancel(Operation operation, int run) {
        if (Worker.current() == worker && messages.isEmpty()) { // its start may be among them, sent from elsewhere
            cancelHere(operation, run);
        } else {
            send(() -> cancelHere(operation, run));
        }
    }

    private void cancelHere(Operation operation, int run) {
        if (operation.tryCancel(run)) {
            worker.ownDriver().cancel(operation);
        }
    }

    private void send(Runnable message) {
        messages.offer(message);
        crew.wake(worker);
    }

    // A coroutine that waits pinned to the worker.

    /** Tells a coroutine that it waits pinned to the worker, and makes it look. Called by the watchdog. */
    void rescue(Thread pinned) {
        heldBy = pinned;
        LockSupport.unpark(pinned);
    }

    @Override
    public boolean isHeldByCaller() {
        if (heldBy != Thread.currentThread()) {
            return false;
        }
        heldBy = null;
        return true;
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
