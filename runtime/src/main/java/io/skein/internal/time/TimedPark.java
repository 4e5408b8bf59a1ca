package io.skein.internal.time;

import io.skein.internal.loom.Loom;
import io.skein.internal.loom.Unparking;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Parking until a time, for one wait of one thread.
 *
 * <p>A thread that a worker carries parks without a bound, and a timer of that worker unparks it. All others park by
 * {@link LockSupport#parkNanos}, which for a virtual thread goes through other threads.
 *
 * <p>A thread that a native frame or a class initialiser pins cannot give way: its park would block the very worker that is to
 * fire its timer. Whether it can is known only when it has tried. So the worker is unparked before: then a park that blocks it
 * returns at once, while one that gives way does not notice. A thread that comes back without having left the worker was pinned, or was
 * unparked before it parked; so it parks once more, and if it stays again, it does the worker's part until its time has come.
 */
public final class TimedPark implements Timekeeper.Wait {
    private final long deadlineNanos;
    private final Timekeeper.@Nullable Wait wait;

    /**
     * For a wait of the calling thread.
     *
     * @param deadlineNanos a time of {@link System#nanoTime}
     * @param wait what may be over before; null for nothing
     */
    public TimedPark(long deadlineNanos, Timekeeper.@Nullable Wait wait) {
        this.deadlineNanos = deadlineNanos;
        this.wait = wait;
    }

    public boolean isOver() {
        return deadlineNanos - System.nanoTime() <= 0;
    }

    @Override
    public boolean isWaiting() {
        return !isOver() && (wait == null || wait.isWaiting());
    }

    /** Parks until the deadline, an unpark or an interrupt, or for no reason shorter than that. */
    public void park() {
        if (Thread.currentThread().isVirtual() && Loom.currentCarrier() instanceof Timekeeper keeper) {
            parkBy(keeper, keeper.thread());
        } else {
            LockSupport.parkNanos(deadlineNanos - System.nanoTime());
        }
    }

    private void parkBy(Timekeeper keeper, Thread carrier) {
        long runs = keeper.runs();
        Unpark timer = new Unpark(Thread.currentThread());
        keeper.wheel().arm(timer, deadlineNanos);
        try {
            LockSupport.unpark(carrier);
            LockSupport.park();
            boolean stayed = Loom.currentCarrier() == carrier && keeper.runs() == runs;
            if (stayed && (!isWaiting() || Thread.currentThread().isInterrupted())) {
                LockSupport.unpark(carrier); // nobody stands in to give the permit back that the park may have used up
            } else if (stayed && !keeper.giveWay()) {
                keeper.standIn(this);
            }
        } finally {
            timer.cancel();
        }
    }

    private static final class Unpark extends Timer {
        private @Nullable Thread thread;

        Unpark(Thread thread) {
            this.thread = thread;
        }

        @Override
        protected void fire() {
            Unparking.unpark(thread);
        }

        @Override
        protected void release() {
            thread = null;
        }
    }
}
