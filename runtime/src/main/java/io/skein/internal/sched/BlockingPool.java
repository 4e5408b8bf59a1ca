package io.skein.internal.sched;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Platform threads for what would block a worker: blocking calls, name look-ups, and the failure handler.
 *
 * <p>Any thread may call it. An idle thread takes a task at once; where there is none a new one is started, up to a cap;
 * beyond that tasks wait. Idle threads end.
 */
public final class BlockingPool implements Executor {
    private static final int IDLE_SECONDS = 10;

    /** A queue that takes an offer only where a thread is waiting for it: the pool then starts another thread. */
    private static final class HandOver extends LinkedTransferQueue<Runnable> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean offer(Runnable task) {
            return tryTransfer(task);
        }

        void enqueue(Runnable task) {
            super.offer(task);
        }
    }

    /** A thread of a pool, which knows whose it is. */
    private static final class PoolThread extends Thread {
        private final BlockingPool pool;

        PoolThread(BlockingPool pool, Runnable body, String name) {
            super(null, body, name, 0, false);
            this.pool = pool;
            setDaemon(true);
        }

        @Override
        public void run() {
            pool.affinity.unbind();
            super.run();
        }
    }

    private final CpuAffinity affinity;
    private final AtomicInteger started = new AtomicInteger();
    private final HandOver waiting = new HandOver();
    private final ThreadPoolExecutor threads;

    BlockingPool(String name, int cap, CpuAffinity affinity) {
        this.affinity = affinity;
        threads = new ThreadPoolExecutor(
                0,
                cap,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                waiting,
                body -> new PoolThread(this, body, name + "-blocking-" + started.getAndIncrement()),
                this::atCap);
    }

    private void atCap(Runnable task, ThreadPoolExecutor pool) {
        if (pool.isShutdown()) {
            throw new RejectedExecutionException("the runtime is closed");
        }
        waiting.enqueue(task);
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /** Runs a blocking call on a thread of the pool while the caller waits; an interrupt reaches the call. */
    public <T extends @Nullable Object> T call(Callable<T> blocking) throws Exception {
        Future<T> result = threads.submit(blocking);
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

    /** Refuses more, waits for what runs, and ends the threads. */
    void close() {
        threads.close();
    }
}
