package io.skein.internal.sched;

import io.skein.internal.Uninterruptibly;
import io.skein.internal.loom.CoroutineCarrier;
import io.skein.internal.sync.BriefLock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Platform threads that carry coroutines through the JDK's blocking calls, so that no worker is held: a read of a child process's
 * pipe, a look-up of a name, a sync of a file. Workers call it. Only to be used where {@link io.skein.internal.loom.Loom#available}.
 *
 * <p>A coroutine comes here when the JDK tells its worker that the call begins, and goes back to the workers when the JDK tells the
 * spare that the call has ended. An idle spare takes a coroutine at once; where there is none, a new one is started, up to a
 * cap. Beyond that a coroutine blocks on its worker. Idle spares end.
 *
 * <pre>
 *   (none)  -> LIVING  a worker that finds no idle spare, and fewer than the cap; back if the start fails
 *   LIVING  -> IDLE    the spare, when its coroutine has given way
 *   IDLE    -> LIVING  a worker, which gives it a coroutine
 *   IDLE    -> ENDED   the spare, when its idle time is over or the runtime stops
 * </pre>
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
final class SpareCarriers {
    /** As many as the JDK's own scheduler has by default. */
    static final int CAP = 256;

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String name;
    private final long stackSize;
    private final CpuAffinity affinity;
    private final int cap;
    private final long idleNanos;
    private final Consumer<Thread> starter;
    private final BriefLock lock = new BriefLock();
    private final CountDownLatch deserted = new CountDownLatch(1);

    // Written under the lock.
    private volatile @Nullable Spare idle; // the top of a stack, so that those at its bottom end
    private volatile int living; // idle ones too
    private int started;
    private volatile boolean closed; // idle spares look at it without the lock

    SpareCarriers(String name, long stackSize, CpuAffinity affinity) {
        this(name, stackSize, affinity, CAP, IDLE_NANOS, Thread::start);
    }

    /**
     * None yet.
     *
     * @param cap so many there are at most
     * @param idleNanos how long a spare waits for a coroutine before it ends
     * @param starter starts a thread, or throws
     */
    SpareCarriers(
            String name, long stackSize, CpuAffinity affinity, int cap, long idleNanos, Consumer<Thread> starter) {
        this.name = name;
        this.stackSize = stackSize;
        this.affinity = affinity;
        this.cap = cap;
        this.idleNanos = idleNanos;
        this.starter = starter;
    }

    /** Has a spare run a coroutine until that gives way. Returns false if there is no spare for it and none can be started. */
    boolean run(Runnable coroutine) {
        Spare spare;
        int number = 0;
        lock.lock();
        try {
            spare = idle;
            if (spare != null) {
                idle = spare.below;
            } else if (closed || living == cap) {
                return false;
            } else {
                living++;
                number = started++;
            }
        } finally {
            lock.unlock();
        }
        if (spare == null) {
            return start(number, coroutine);
        }
        spare.given = coroutine;
        LockSupport.unpark(spare);
        return true;
    }

    private boolean start(int number, Runnable coroutine) {
        try {
            starter.accept(new Spare(this, name + "-spare-" + number, coroutine));
            return true;
        } catch (Throwable e) { // no memory, or the system has no more threads
            lock.lock();
            living--;
            lock.unlock();
            return false;
        }
    }

    /** Whether there is an idle spare, or may be another one. A hint. */
    boolean hasRoom() {
        return living < cap || idle != null;
    }

    /** How many there are. */
    int count() {
        lock.lock();
        int count = living;
        lock.unlock();
        return count;
    }

    /** Ends all spares and waits for that. To be called when no coroutine lives. */
    void close() {
        lock.lock();
        closed = true;
        boolean none = living == 0;
        Spare first = idle;
        idle = null;
        lock.unlock();
        for (Spare spare = first; spare != null; spare = spare.below) {
            LockSupport.unpark(spare);
        }
        if (!none) {
            Uninterruptibly.run(deserted::await);
        }
    }

    private void enterIdle(Spare self) {
        lock.lock();
        self.below = idle;
        idle = self;
        lock.unlock();
    }

    /** Counts an idle spare out that is to end; returns false if it was given a coroutine meanwhile. */
    private boolean leftIdle(Spare self) {
        lock.lock();
        boolean wasIdle = closed || removed(self);
        boolean last = false;
        if (wasIdle) {
            living--;
            last = closed && living == 0;
        }
        lock.unlock();
        if (last) {
            deserted.countDown();
        }
        return wasIdle;
    }

    private boolean removed(Spare self) {
        if (idle == self) {
            idle = self.below;
            return true;
        }
        for (Spare spare = idle; spare != null; spare = spare.below) {
            if (spare.below == self) {
                spare.below = self.below;
                return true;
            }
        }
        return false;
    }

    /** One of them. */
    private static final class Spare extends CoroutineCarrier {
        private final SpareCarriers all;

        /** The next coroutine to run: the first, and then what a worker gives it that has taken it off the stack. */
        private volatile @Nullable Runnable given;

        /** Under the lock; read without it by the close that has taken the whole stack. */
        private @Nullable Spare below;

        Spare(SpareCarriers all, String name, Runnable first) {
            super(name, all.stackSize);
            this.all = all;
            this.given = first;
        }

        @Override
        protected void carry() {
            try {
                all.affinity.unbind();
            } catch (Throwable e) {
                // The coroutine matters more than the processor that it runs on.
            }
            for (Runnable next = takeGiven(); next != null; next = awaitGiven()) {
                try {
                    next.run();
                } catch (Throwable e) {
                    // The JDK, which had no memory to finish what follows on a run. The coroutine's own failure is its
                    // outcome.
                }
            }
        }

        private @Nullable Runnable takeGiven() {
            Runnable taken = given;
            given = null;
            return taken;
        }

        private @Nullable Runnable awaitGiven() {
            all.enterIdle(this);
            long deadline = System.nanoTime() + all.idleNanos;
            while (given == null) {
                long left = deadline - System.nanoTime();
                if ((left <= 0 || all.closed) && all.leftIdle(this)) {
                    return null;
                }
                LockSupport.parkNanos(this, Math.max(1, left));
            }
            return takeGiven();
        }

        /** Who blocks here holds nobody up. */
        @Override
        public boolean beginBlocking() {
            return false;
        }

        /** Sends the coroutine that has blocked back to the workers; the thread itself, to which one has given way, is not meant. */
        @Override
        @SuppressWarnings("ThreadPriorityCheck") // it yields to change its carrier
        public void endBlocking() {
            if (Thread.currentThread() == this) {
                return;
            }
            try {
                Thread.yield();
            } catch (StackOverflowError | OutOfMemoryError e) {
                // There is too little stack or memory to put it aside: it goes on here until it waits.
            }
        }
    }
}
