package io.skein.internal.sched;

import io.skein.internal.Budget;
import io.skein.internal.loom.Unparking;
import io.skein.internal.time.Timekeeper;
import io.skein.internal.time.TimerWheel;

/**
 * The thread of a worker that carries coroutines. Only to be loaded where {@link io.skein.internal.loom.Loom#available};
 * elsewhere a worker carries nobody, and any thread does.
 *
 * <p>Called by the worker's own loop, by the coroutines that it carries, and by the JDK on behalf of these.
 */
final class WorkerThread extends Budget.Carrier implements Timekeeper, Unparking.Carrier {
    private static final int LEAVE_TRIALS = 10;

    private final Worker worker;

    private WorkerThread(Worker worker, String name, long stackSize) {
        super(name, stackSize);
        this.worker = worker;
    }

    /** A thread for a worker, not yet started. Its type is not told, so that callers can be loaded where this class cannot. */
    static Thread of(Worker worker, String name, long stackSize) {
        return new WorkerThread(worker, name, stackSize);
    }

    Worker worker() {
        return worker;
    }

    @Override
    protected void carry() {
        worker.run();
    }

    @Override
    protected void budgetSpent() {
        worker.budgetSpent();
    }

    /**
     * Moves the coroutine to a spare carrier. While somebody looks at its stack, nobody can run it, and the JDK hands it to the workers
     * afterwards: then it tries again.
     */
    @Override
    public boolean beginBlocking() {
        Worker here = worker;
        for (int trial = 0; trial < LEAVE_TRIALS && here != null && here.leaveToBlock(); trial++) {
            here = Worker.current();
        }
        return here == null;
    }

    /** A coroutine that could not leave has blocked here, and goes on here. */
    @Override
    public void endBlocking() {}

    @Override
    public Thread thread() {
        return this;
    }

    @Override
    public TimerWheel wheel() {
        return worker.wheel();
    }

    @Override
    public long runs() {
        return worker.runs();
    }

    @Override
    public boolean giveWay() {
        return worker.standIn().giveWay();
    }

    @Override
    public void standIn(Wait wait) {
        worker.standIn().serve(wait);
    }

    @Override
    public void wakeWhoStandsIn() {
        worker.wakeStandIn();
    }
}
