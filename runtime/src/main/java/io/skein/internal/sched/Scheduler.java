package io.skein.internal.sched;

import io.skein.Coroutine;
import io.skein.Skein;
import io.skein.internal.io.Backend;
import io.skein.internal.io.Lane;
import io.skein.internal.io.Submitter;
import io.skein.internal.loom.Loom;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The workers of one runtime, the coroutines that live on them, and the order of a stop.
 *
 * <p>Any thread may call it. {@code population} is the count of live coroutines, with the top bit set once new work
 * from outside is refused. A coroutine counts from before its start until after its end, and one that lives may
 * always spawn another: so once the top bit is set and the count is zero, it stays zero, and the stop goes on.
 *
 * <p>The stop, as the design numbers it: (1) {@link #refuse}: outside spawns get {@link RejectedExecutionException};
 * (2) wait until no coroutine lives; (3) each worker ends its loop, cancels what its driver keeps armed and reaps it;
 * (4) the driver closes its ring before it frees memory; (5) the threads are joined.
 */
public final class Scheduler implements Submitter {
    private static final long REFUSING = Long.MIN_VALUE;

    /** The scheduler of the calling coroutine, where its carrier cannot tell: see {@link Loom#available}. */
    private static final ScopedValue<Scheduler> CURRENT = ScopedValue.newInstance();

    private final Skein skein;
    private final Backend backend;
    private final BiConsumer<Coroutine<?>, Throwable> failureHandler;
    private final BlockingPool blockingPool;
    private final Worker[] workers;
    private final AtomicInteger nextWorker = new AtomicInteger();
    private final AtomicLong population = new AtomicLong();
    private final CountDownLatch empty = new CountDownLatch(1);
    private final AtomicBoolean stopClaimed = new AtomicBoolean();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Set<SpawnedCoroutine<?>> alive = ConcurrentHashMap.newKeySet();

    public Scheduler(
            Skein skein,
            Backend backend,
            int workerCount,
            String name,
            BiConsumer<Coroutine<?>, Throwable> failureHandler)
            throws IOException {
        this.skein = skein;
        this.backend = backend;
        this.failureHandler = failureHandler;
        this.blockingPool = new BlockingPool(name);
        this.workers = new Worker[workerCount];
        if (!Thread.currentThread().isVirtual()) {
            Loom.startJdkPollers();
        }
        for (int i = 0; i < workerCount; i++) {
            workers[i] = new Worker(this, backend, name + "-worker-" + i);
            workers[i].start();
        }
        try {
            for (Worker worker : workers) {
                worker.awaitOpened();
            }
        } catch (IOException e) {
            stopWorkers();
            blockingPool.close();
            throw e;
        }
    }

    /** The scheduler of the calling coroutine, or null when the caller is none. */
    public static @Nullable Scheduler current() {
        if (Loom.available()) {
            Worker worker = Worker.current();
            return worker == null ? null : worker.scheduler();
        }
        return CURRENT.isBound() ? CURRENT.get() : null;
    }

    void callAsCurrent(Runnable body) {
        ScopedValue.where(CURRENT, this).run(body);
    }

    public Skein skein() {
        return skein;
    }

    public Backend backend() {
        return backend;
    }

    public BlockingPool blockingPool() {
        return blockingPool;
    }

    public <T extends @Nullable Object> Coroutine<T> spawn(@Nullable String name, Callable<? extends T> body) {
        admit();
        SpawnedCoroutine<T> coroutine;
        try {
            coroutine = new SpawnedCoroutine<>(this, chooseWorker(), name, body);
            alive.add(coroutine);
        } catch (RuntimeException | Error e) {
            leave();
            throw e;
        }
        coroutine.start();
        return coroutine;
    }

    /**
     * Counts a coroutine in, or refuses it. While a stop waits for coroutines, those that live may still spawn; once
     * none is left, nobody may.
     */
    private void admit() {
        long before = population.getAndIncrement();
        if (before < 0 && (before == REFUSING || current() != this)) {
            leave();
            throw new RejectedExecutionException("the runtime is closed");
        }
    }

    private void leave() {
        if (population.decrementAndGet() == REFUSING) {
            empty.countDown();
        }
    }

    private Worker chooseWorker() {
        return workers.length == 1 ? workers[0] : workers[Math.floorMod(nextWorker.getAndIncrement(), workers.length)];
    }

    /** The last thing a coroutine does. */
    void ended(SpawnedCoroutine<?> coroutine) {
        alive.remove(coroutine);
        leave();
    }

    /** Passes a failure on to the handler, on a thread that is nobody's worker. */
    void unheard(Coroutine<?> coroutine, Throwable failure) {
        blockingPool.execute(() -> failureHandler.accept(coroutine, failure));
    }

    @Override
    public boolean serves() {
        return current() == this;
    }

    @Override
    public Lane lane() {
        Worker here = Worker.current();
        return here != null ? here : chooseWorker();
    }

    /** Step 1: from now on, only coroutines may spawn. */
    private void refuse() {
        long seen;
        do {
            seen = population.get();
            if (seen < 0) {
                return;
            }
        } while (!population.compareAndSet(seen, seen | REFUSING));
        if (seen == 0) {
            empty.countDown();
        }
    }

    /** Step 1, and an interrupt to every coroutine that lives. */
    public void interruptAll() {
        refuse();
        for (SpawnedCoroutine<?> coroutine : alive) {
            coroutine.cancel(true);
        }
    }

    /** The whole stop. Every caller returns when it is over; an interrupted one hurries it by {@link #interruptAll}. */
    public void close() {
        if (current() == this) {
            throw new IllegalStateException("a coroutine cannot close the runtime that it lives on");
        }
        refuse();
        awaitEmpty();
        if (stopClaimed.compareAndSet(false, true)) {
            stopWorkers();
            blockingPool.close();
            backend.close();
            stopped.countDown();
        }
        Uninterruptibly.await(stopped);
    }

    /** Step 2. */
    private void awaitEmpty() {
        try {
            empty.await();
        } catch (InterruptedException e) {
            interruptAll();
            Uninterruptibly.await(empty);
            Thread.currentThread().interrupt();
        }
    }

    /** Steps 3 to 5. */
    private void stopWorkers() {
        for (Worker worker : workers) {
            worker.requestStop();
        }
        for (Worker worker : workers) {
            Uninterruptibly.join(worker);
        }
    }
}
