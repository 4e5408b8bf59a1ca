package io.skein.internal.sched;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Platform threads for what would block a worker: name look-ups, and the failure handler.
 *
 * <p>Any thread may call it. Threads come as they are needed, up to {@value #THREADS}, and end when idle.
 */
public final class BlockingPool implements Executor {
    private static final int THREADS = 512;
    private static final int IDLE_SECONDS = 10;

    private final ThreadPoolExecutor threads;

    BlockingPool(String name) {
        threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name(name + "-blocking-", 0).factory());
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /** Runs a blocking call on a thread of the pool while the caller waits; an interrupt reaches the call. */
    public <T> T call(Callable<T> blocking) throws InterruptedException, ExecutionException {
        Future<T> result = threads.submit(blocking);
        try {
            return result.get();
        } catch (InterruptedException e) {
            result.cancel(true);
            throw e;
        }
    }

    /** Refuses more, waits for what runs, and ends the threads. */
    void close() {
        threads.close();
    }
}
