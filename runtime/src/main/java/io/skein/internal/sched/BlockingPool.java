package io.skein.internal.sched;

import io.skein.internal.sync.BriefLock;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Platform threads for what would block a worker: blocking calls, name look-ups, and the failure handler.
 *
 * <p>Any thread may call it, a worker too: all its state is under a {@link BriefLock}. An idle thread takes a task at
 * once; where there is none a new one is started, up to a cap; beyond that tasks wait. Idle threads end.
 *
 * <pre>
 *   (none)   -> STARTING   a caller that finds no idle thread, and fewer than the cap
 *   STARTING -> LIVING     the same caller, when the start has succeeded; if it fails, the thread is not counted any more
 *   LIVING   -> IDLE       the thread, when no task waits
 *   IDLE     -> LIVING     a caller, which gives it a task
 *   LIVING, IDLE -> ENDED  the thread, when no task waits and its idle time is over or the pool is closed
 * </pre>
 *
 * <p>Invariants, whenever the lock is free. STARTING, LIVING and IDLE threads are at most as many as the cap. A task
 * waits only while no thread is idle and at least one lives, and every living thread looks for a waiting task before
 * it is idle or ends. So a task that waits is run. A task begins to wait only at the cap, or after its own caller
 * could not start a thread. A caller never relies on a thread that another caller starts, because that start may
 * fail.
 *
 * <p>Where no thread can be started, the task waits for one that lives. If none does, {@link #execute} throws what
 * the start threw.
 */
public final class BlockingPool implements Executor {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** How long a caller waits before it looks again whether another has started a thread: about as long as a start takes. */
    private static final long START_NANOS = 50_000;

    /** A task and the one that came after it. */
    private static final class Waiting {
        final Runnable task;

        @Nullable
        Waiting next;

        Waiting(Runnable task) {
            this.task = task;
        }
    }

    private final BriefLock lock = new BriefLock();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicInteger named = new AtomicInteger();
    private final String name;
    private final int cap;
    private final CpuAffinity affinity;
    private final long idleNanos;
    private final Consumer<Thread> starter;

    // Under the lock.
    private @Nullable Waiting first;
    private @Nullable Waiting last;
    private @Nullable PoolThread idle; // the top of a stack, so that those at its bottom end
    private @Nullable PoolThread members; // threads that run, to be interrupted
    private int starting;
    private int
            living; // idle threads too; for a moment one too few, if a thread ends before its starter has counted it
    private volatile boolean closed; // idle threads look at it without the lock

    BlockingPool(String name, int cap, CpuAffinity affinity) {
        this(name, cap, affinity, IDLE_NANOS, Thread::start);
    }

    /**
     * A pool without threads.
     *
     * @param idleNanos how long a thread waits for a task before it ends
     * @param starter starts a thread, or throws
     */
    BlockingPool(String name, int cap, CpuAffinity affinity, long idleNanos, Consumer<Thread> starter) {
        this.name = name;
        this.cap = cap;
        this.affinity = affinity;
        this.idleNanos = idleNanos;
        this.starter = starter;
    }

    /**
     * Has a task run by a thread of the pool.
     *
     * @throws RejectedExecutionException if the pool is closed
     * @throws OutOfMemoryError if there is no thread, and none can be started; then the task will not run
     */
    @Override
    public void execute(Runnable task) {
        Waiting waiting = new Waiting(task); // now, because under the lock nothing is allocated
        boolean interrupted = false;
        try {
            while (true) {
                Placed placed = place(waiting);
                if (placed == Placed.NEEDS_THREAD) {
                    startThreadFor(waiting);
                    return;
                }
                if (placed == Placed.ACCEPTED) {
                    return;
                }
                // Other callers start the only threads that there may be. Not a yield: with one carrier the JDK's
                // scheduler may run a thread that yields again and again, and never the one that it waits for. And
                // without the interrupt status, with which a park would return at once.
                interrupted |= Thread.interrupted();
                LockSupport.parkNanos(this, START_NANOS);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private enum Placed {
        ACCEPTED,

        /** The caller is counted as one who starts a thread. */
        NEEDS_THREAD,

        NOT_YET
    }

    private Placed place(Waiting task) {
        lock.lock();
        if (closed) {
            lock.unlock();
            throw new RejectedExecutionException("the runtime is closed");
        }
        if (idle == null && starting + living < cap) {
            starting++;
            lock.unlock();
            return Placed.NEEDS_THREAD;
        }
        return unlockAndGive(task) ? Placed.ACCEPTED : Placed.NOT_YET;
    }

    /** Starts a thread with this task; or gives the task to a thread that lives, if no other can be started. */
    private void startThreadFor(Waiting task) {
        Throwable failure = null;
        try {
            starter.accept(new PoolThread(this, name + "-blocking-" + named.getAndIncrement(), task));
        } catch (Throwable e) { // no memory, or the system has no more threads
            failure = e;
        }
        lock.lockAgain();
        starting--;
        if (failure == null) {
            living++;
        }
        boolean deserted = isDeserted();
        boolean given = failure == null;
        if (given) {
            lock.unlock();
        } else {
            given = unlockAndGive(task);
        }
        if (deserted) {
            ended.countDown();
        }
        if (!given) {
            throw failure instanceof Error error ? error : new AssertionError("Thread.start failed", failure);
        }
    }

    /** Gives the lock back, and the task to a thread that is idle or lives. Returns false if there is none. */
    private boolean unlockAndGive(Waiting task) {
        PoolThread taker = idle;
        boolean given = taker != null || living > 0;
        if (taker != null) {
            idle = taker.below;
            taker.below = null;
            taker.given = task;
        } else if (given) {
            if (last == null) {
                first = task;
            } else {
                last.next = task;
            }
            last = task;
        }
        lock.unlock();
        if (taker != null) {
            LockSupport.unpark(taker);
        }
        return given;
    }

    private boolean isDeserted() {
        return closed && starting + living == 0;
    }

    /** Runs a blocking call on a thread of the pool while the caller waits; an interrupt reaches the call. */
    public <T extends @Nullable Object> T call(Callable<T> blocking) throws Exception {
        FutureTask<T> result = new FutureTask<>(blocking);
        execute(result);
        try {
            return result.get();
        } catch (InterruptedException e) {
            result.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            Throwable failure = e.getCause();
            if (failure instanceof Exception exception) {
                exception.addSuppressed(e); // shows where it was waited for
                throw exception;
            }
            if (failure instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    boolean owns(Thread thread) {
        return thread instanceof PoolThread member && member.pool == this;
    }

    /**
     * Refuses more, waits for what runs and what waits, and ends the threads. An interrupt is passed on to what runs.
     */
    void close() {
        lock.lock();
        closed = true;
        boolean deserted = isDeserted();
        PoolThread waiting = idle;
        idle = null; // nobody else gets a task, so those on the stack stay linked
        lock.unlock();
        for (PoolThread thread = waiting; thread != null; thread = thread.below) {
            LockSupport.unpark(thread); // which then sees the end
        }
        if (deserted) {
            ended.countDown();
        }
        boolean interrupted = false;
        while (true) {
            try {
                ended.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
                interruptAll();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void interruptAll() {
        lock.lock();
        for (PoolThread thread = members; thread != null; thread = thread.nextMember) {
            thread.interrupt();
        }
        lock.unlock();
    }

    // On a thread of the pool.

    private void enter(PoolThread self) {
        lock.lock();
        PoolThread after = members;
        self.nextMember = after;
        if (after != null) {
            after.previousMember = self;
        }
        members = self;
        lock.unlock();
    }

    /** The next task, or null when the thread is to end, which then counts no more. */
    private @Nullable Runnable next(PoolThread self) {
        boolean _ = Thread.interrupted(); // it was meant for the last task
        Runnable given = self.takeGiven();
        if (given != null) {
            return given; // its first
        }
        lock.lockAgain();
        Waiting task = pollWaiting();
        if (task != null) {
            lock.unlock();
            return task.task;
        }
        self.below = idle;
        idle = self;
        boolean over = closed;
        lock.unlock();
        return over ? endOrTake(self) : awaitTask(self);
    }

    private @Nullable Runnable awaitTask(PoolThread self) {
        long deadline = System.nanoTime() + idleNanos;
        while (self.given == null) {
            long left = deadline - System.nanoTime();
            if (left <= 0 || closed) {
                return endOrTake(self);
            }
            LockSupport.parkNanos(this, left);
            boolean _ = Thread.interrupted(); // parking with the status set would spin
        }
        return self.takeGiven();
    }

    /** Ends an idle thread; or returns the task that it was given meanwhile. */
    private @Nullable Runnable endOrTake(PoolThread self) {
        lock.lockAgain();
        if (self.given != null) {
            lock.unlock();
            return self.takeGiven();
        }
        removeFromIdle(self); // unless a close has emptied the stack
        Waiting task = pollWaiting(); // one whose caller could not start a thread, and came after the close
        if (task != null) {
            lock.unlock();
            return task.task;
        }
        removeFromMembers(self);
        living--;
        boolean deserted = isDeserted();
        lock.unlock();
        if (deserted) {
            ended.countDown();
        }
        return null;
    }

    private @Nullable Waiting pollWaiting() {
        Waiting task = first;
        if (task != null) {
            first = task.next;
            if (first == null) {
                last = null;
            }
        }
        return task;
    }

    private void removeFromIdle(PoolThread self) {
        if (idle == self) {
            idle = self.below;
            return;
        }
        for (PoolThread thread = idle; thread != null; thread = thread.below) {
            if (thread.below == self) {
                thread.below = self.below;
                return;
            }
        }
    }

    private void removeFromMembers(PoolThread self) {
        PoolThread before = self.previousMember;
        PoolThread after = self.nextMember;
        if (before == null) {
            members = after;
        } else {
            before.nextMember = after;
        }
        if (after != null) {
            after.previousMember = before;
        }
    }

    /** A thread of a pool, which knows whose it is. */
    private static final class PoolThread extends Thread {
        private final BlockingPool pool;

        /**
         * The first task; then written under the lock by who takes the thread off the stack of idle ones. Cleared by
         * the thread.
         */
        private volatile @Nullable Waiting given;

        // Under the pool's lock.
        private @Nullable PoolThread below;
        private @Nullable PoolThread previousMember;
        private @Nullable PoolThread nextMember;

        PoolThread(BlockingPool pool, String name, Waiting first) {
            super(null, null, name, 0, false);
            this.pool = pool;
            this.given = first;
            setDaemon(true);
        }

        @Nullable
        Runnable takeGiven() {
            Waiting taken = given;
            given = null;
            return taken == null ? null : taken.task;
        }

        @Override
        public void run() {
            try {
                pool.affinity.unbind();
            } catch (Throwable e) { // the tasks matter more than the processor that they run on
                tell(e);
            }
            pool.enter(this);
            for (Runnable task = pool.next(this); task != null; task = pool.next(this)) {
                try {
                    task.run();
                } catch (Throwable e) { // the thread goes on, for there may not be another
                    tell(e);
                }
            }
        }

        private void tell(Throwable failure) {
            try {
                UncaughtExceptionHandler handler = getUncaughtExceptionHandler();
                if (handler != null) {
                    handler.uncaughtException(this, failure);
                }
            } catch (Throwable e) {
                // A full heap, most likely.
            }
        }
    }
}
