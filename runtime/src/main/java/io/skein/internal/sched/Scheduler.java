package io.skein.internal.sched;

import io.skein.Coroutine;
import io.skein.Dispatch;
import io.skein.Metrics;
import io.skein.Scheduling;
import io.skein.Skein;
import io.skein.internal.Budget;
import io.skein.internal.Headroom;
import io.skein.internal.Uninterruptibly;
import io.skein.internal.io.Backend;
import io.skein.internal.io.Lane;
import io.skein.internal.io.Submitter;
import io.skein.internal.loom.Containers;
import io.skein.internal.loom.Loom;
import io.skein.internal.sched.SpawnedCoroutine.Origin;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One runtime's inside: its workers, who lives on them, and the order of a stop. Any thread may call it.
 *
 * <p>The stop, as the design numbers it: (1) work from outside is refused; (2) wait until nobody lives; (3) each worker
 * ends its loop, its driver cancels what it keeps armed and reaps it; (4) the driver closes its ring before it frees
 * memory; sockets that were left open are closed; (5) the threads are joined.
 */
public final class Scheduler implements Submitter {
    private static final System.Logger LOG = System.getLogger("io.skein");

    /** The calling coroutine, where its thread cannot tell: see {@link Loom#available}. */
    private static final ScopedValue<SpawnedCoroutine<?>> CURRENT = ScopedValue.newInstance();

    private static final int UNHEARD_ATTEMPTS = 100;
    private static final long MEMORY_RETRY_NANOS = 10_000_000;

    private final Skein skein;
    private final Backend backend;
    private final SchedulerSettings settings;
    private final CpuAffinity affinity;
    private final BlockingPool blockingPool;
    private final Population population = new Population();
    private final Population guests = new Population();
    private final LongAdder librarySockets = new LongAdder();

    /**
     * The coroutines that live, but for the children of scopes: those are found by way of who has opened the scopes.
     */
    private final Set<SpawnedCoroutine<?>> roots = ConcurrentHashMap.newKeySet();

    private final AdoptedThreads adopted = new AdoptedThreads(this);
    /** Null without the flags: then no worker carries anybody. */
    private final @Nullable SpareCarriers spares;

    private final LibraryThreads libraryThreads = new LibraryThreads();
    private final Crew crew;

    /** What shows the coroutines in thread dumps; null where there is no such thing. */
    private final @Nullable Object container;

    private final LeakGuard leaks;
    private final Watchdog watchdog;
    private volatile boolean interrupting;
    private final AtomicBoolean stopClaimed = new AtomicBoolean();
    private final CountDownLatch stopped = new CountDownLatch(1);

    public Scheduler(Skein skein, Backend backend, SchedulerSettings settings) throws IOException {
        this.skein = skein;
        this.backend = backend;
        this.settings = settings;
        this.affinity = new CpuAffinity(settings.pinToCpus());
        this.blockingPool = new BlockingPool(settings.name(), settings.blockingThreads(), affinity);
        this.spares = Loom.available() ? new SpareCarriers(settings.name(), settings.stackSize(), affinity) : null;
        this.crew = new Crew(this, settings);
        this.container = Containers.shared(settings.name(), () -> withAdopted(roots));
        this.leaks = new LeakGuard(this);
        this.watchdog = new Watchdog(crew, settings.name(), settings.watchdog(), leaks);
        JdkPollers.start();
        try {
            crew.start();
            watchdog.start();
        } catch (IOException | RuntimeException | Error e) {
            crew.stop();
            blockingPool.close();
            Containers.close(container);
            throw e;
        }
    }

    /** The scheduler of the calling coroutine, or of the one that started the calling thread; null elsewhere. */
    public static @Nullable Scheduler current() {
        if (Loom.available()) {
            Worker worker = Worker.current();
            return worker == null ? currentOffWorkers() : worker.scheduler();
        }
        return CURRENT.isBound() ? CURRENT.get().scheduler() : null;
    }

    /** As {@link #current}, for who is on no worker: a spare may carry it. */
    private static @Nullable Scheduler currentOffWorkers() {
        Thread caller = Thread.currentThread();
        return caller.isVirtual() && Loom.executorOf(caller) instanceof SpawnedCoroutine<?> coroutine
                ? coroutine.scheduler()
                : null;
    }

    /** The coroutine that the calling thread is, or null. */
    static @Nullable SpawnedCoroutine<?> currentCoroutine() {
        Thread caller = Thread.currentThread();
        if (!Loom.available()) {
            return CURRENT.isBound() && CURRENT.get().thread() == caller ? CURRENT.get() : null;
        }
        return caller.isVirtual()
                        && Loom.executorOf(caller) instanceof SpawnedCoroutine<?> coroutine
                        && coroutine.thread() == caller
                ? coroutine
                : null;
    }

    /** The coroutine in which the calling virtual thread was started, which is none itself; null elsewhere. */
    static @Nullable SpawnedCoroutine<?> starterOfCurrent() {
        Thread caller = Thread.currentThread();
        if (!caller.isVirtual()) {
            return null;
        }
        if (!Loom.available()) {
            return CURRENT.isBound() ? CURRENT.get() : null;
        }
        return Loom.executorOf(caller) instanceof SpawnedCoroutine<?> starter ? starter : null;
    }

    /** A body that knows the calling coroutine's runtime as its own wherever it runs; for threads that cannot tell. */
    public static Runnable carryingCurrent(Runnable body) {
        if (!CURRENT.isBound()) {
            return body;
        }
        SpawnedCoroutine<?> coroutine = CURRENT.get();
        return () -> callAsCurrent(coroutine, body);
    }

    static void callAsCurrent(SpawnedCoroutine<?> coroutine, Runnable body) {
        ScopedValue.where(CURRENT, coroutine).run(body);
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

    public LeakGuard leaks() {
        return leaks;
    }

    CpuAffinity affinity() {
        return affinity;
    }

    /** To be called where workers carry coroutines. */
    SpareCarriers spares() {
        return Objects.requireNonNull(spares);
    }

    Crew crew() {
        return crew;
    }

    Watchdog watchdog() {
        return watchdog;
    }

    AdoptedThreads adopted() {
        return adopted;
    }

    LibraryThreads libraryThreads() {
        return libraryThreads;
    }

    String name() {
        return settings.name();
    }

    boolean pinned() {
        return settings.scheduling() == Scheduling.PINNED;
    }

    @Override
    public boolean serves() {
        return current() == this;
    }

    /** Whether the caller is a coroutine of this runtime that cannot give way: nobody else runs on its worker meanwhile. */
    public boolean callerIsPinned() {
        Worker here = Worker.current();
        return here != null && here.scheduler() == this && here.standIn().isPinned();
    }

    @Override
    public Lane lane() {
        Worker here = Worker.current();
        return (here != null ? here : crew.any()).lane();
    }

    @Override
    public BlockingPool blocking() {
        return blockingPool;
    }

    // Coming and going.

    /**
     * Starts a coroutine.
     *
     * @param name its name, or null
     * @param dispatch where it starts, or null for the default
     * @param awaited whether the caller will wait for it, so that its failure is not unheard
     */
    public <T extends @Nullable Object> Coroutine<T> spawn(
            @Nullable String name, @Nullable Dispatch dispatch, boolean awaited, Callable<? extends T> body) {
        Budget.spend();
        Headroom.toBegin(); // a coroutine that is counted in is queued too
        Origin origin = awaited ? Origin.WAITER : Origin.SPAWNER;
        SpawnedCoroutine<T> coroutine = new SpawnedCoroutine<>(this, crew.home(dispatch), name, origin, body);
        coroutine.start(container);
        return coroutine;
    }

    /** A coroutine that its scope will start. */
    <T extends @Nullable Object> SpawnedCoroutine<T> unstarted(@Nullable String name, Callable<? extends T> body) {
        return new SpawnedCoroutine<>(this, crew.home(null), name, Origin.SCOPE, body);
    }

    /** A coroutine's thread that somebody else will start. */
    public Thread unstarted(@Nullable String name, Runnable body) {
        if (!Loom.available() && population.isRefusing() && !serves()) {
            throw new RejectedExecutionException("the runtime is closed"); // its start could not say so
        }
        Callable<@Nullable Void> call = () -> {
            body.run();
            return null;
        };
        return new SpawnedCoroutine<>(this, crew.home(null), name, Origin.THREAD_FACTORY, call).thread();
    }

    /** Counts a coroutine in, before it is first queued. A child of a scope is on the scope's list by then. */
    void enter(SpawnedCoroutine<?> coroutine) {
        population.enter(serves());
        try {
            if (!coroutine.isForked()) {
                roots.add(coroutine);
            }
            if (interrupting) {
                coroutine.cancel(true);
            }
        } catch (Throwable e) { // no memory
            roots.remove(coroutine);
            population.leave();
            throw e;
        }
    }

    /** The last thing a coroutine does; or who could not start it. */
    void leave(SpawnedCoroutine<?> coroutine) {
        if (coroutine.isForked() || roots.remove(coroutine)) {
            population.leave();
        }
    }

    /** The coroutines that live, and some that have ended. */
    List<SpawnedCoroutine<?>> known() {
        List<SpawnedCoroutine<?>> known = new ArrayList<>(roots);
        libraryThreads.forEachChild(known::add);
        for (int i = 0; i < known.size(); i++) { // which grows: nobody knows how deep scopes are nested
            known.get(i).forEachChild(known::add);
        }
        return known;
    }

    boolean isInterrupting() {
        return interrupting;
    }

    Population population() {
        return population;
    }

    /** Turns of the JDK's pollers that are queued here or run. */
    Population guests() {
        return guests;
    }

    /**
     * Passes a failure on to the handler, on a thread that is nobody's worker. Called by coroutines: where there is no memory for it,
     * the caller waits a while until there is.
     */
    public void unheard(Coroutine<?> coroutine, Throwable failure) {
        for (int attempt = 1; ; attempt++) {
            try {
                blockingPool.execute(new HandlerCall(settings, coroutine, failure));
                return;
            } catch (OutOfMemoryError e) {
                if (attempt == UNHEARD_ATTEMPTS) {
                    throw e;
                }
                awaitMemory();
            }
        }
    }

    /** Waits a moment, because the heap is full. Called by coroutines, and by workers that cannot go on; allocates nothing of its own. */
    static void awaitMemory() {
        LockSupport.parkNanos(MEMORY_RETRY_NANOS);
    }

    /** Tells of a failure inside a worker's own loop, if there is memory for that; the loop goes on. Throws nothing. */
    void reportDefect(Worker worker, Throwable failure) {
        try {
            blockingPool.execute(new DefectReport(worker, failure));
        } catch (Throwable e) {
            // The failure was a full heap, most likely, and it still is full.
        }
    }

    // No lambdas: one that is linked for the first time when the heap is full may stay broken.

    private record HandlerCall(SchedulerSettings settings, Coroutine<?> coroutine, Throwable failure)
            implements Runnable {
        @Override
        public void run() {
            settings.failureHandler().accept(coroutine, failure);
        }
    }

    private record DefectReport(Worker worker, Throwable failure) implements Runnable {
        @Override
        public void run() {
            LOG.log(Level.ERROR, worker.name() + ": the worker's loop failed", failure);
        }
    }

    private Stream<Thread> withAdopted(Collection<SpawnedCoroutine<?>> coroutines) {
        return Stream.concat(
                coroutines.stream().map(SpawnedCoroutine::thread),
                adopted.all().stream().map(AdoptedThreads.Adopted::thread));
    }

    /** What it has done so far; with how many ordinary sockets libraries were handed. */
    public Metrics metrics(long ordinarySockets) {
        return crew.metrics(population.size(), new Metrics.Sockets(librarySockets.sum(), ordinarySockets));
    }

    /**
     * Counts a socket that a library is handed. Sockets are not known here, but there is one scheduler for each
     * runtime.
     */
    public void countLibrarySocket() {
        librarySockets.increment();
    }

    /** Whether work from outside is refused. */
    public boolean isRefusing() {
        return population.isRefusing();
    }

    // The stop.

    /** Step 1, and an interrupt to everyone who lives and to everyone they still spawn. */
    public void interruptAll() {
        interrupting = true;
        population.refuse();
        known().forEach(coroutine -> coroutine.cancel(true));
        adopted.all().forEach(library -> library.thread().interrupt());
    }

    /** The whole stop. Every caller returns when it is over; an interrupted one hurries it by {@link #interruptAll}. */
    public void close() {
        refuseFromOutside();
        boolean interrupted = false;
        try {
            awaitGone();
        } catch (InterruptedException e) {
            interrupted = true;
            interruptAll();
            Uninterruptibly.run(this::awaitGone);
        }
        finish();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Step 2. Where it takes long, the log tells who lives. */
    private void awaitGone() throws InterruptedException {
        if (!population.awaitGone(Stragglers.PATIENCE_NANOS, TimeUnit.NANOSECONDS)) {
            Stragglers.report(this);
            population.awaitGone();
        }
    }

    /** As {@link #close}, but gives up step 2 after a time and returns false; then work is refused, and the rest goes on. */
    public boolean close(long timeout, TimeUnit unit) throws InterruptedException {
        refuseFromOutside();
        if (!population.awaitGone(timeout, unit)) {
            return false;
        }
        finish();
        return true;
    }

    /** Waits until nobody lives, with the door open until that moment; then the rest of the stop. */
    public void loop() throws InterruptedException {
        checkOutside();
        population.awaitIdleAndRefuse();
        finish();
    }

    private void refuseFromOutside() {
        checkOutside();
        population.refuse();
    }

    /** Refuses a caller that would wait for itself. */
    public void checkOutside() {
        if (serves() || blockingPool.owns(Thread.currentThread())) {
            throw new IllegalStateException(
                    "a coroutine, or a thread that works for one, cannot stop the runtime that it lives on");
        }
    }

    /** Steps 3 to 5. */
    private void finish() {
        if (stopClaimed.compareAndSet(false, true)) {
            boolean interrupted = Thread.interrupted(); // it would make the pool drop what it still has to do
            try {
                guests.refuse();
                Uninterruptibly.run(guests::awaitGone);
                JdkPollers.leave(this);
                crew.stop();
                watchdog.stopAndJoin();
                if (spares != null) {
                    spares.close();
                }
                blockingPool.close();
                backend.close();
                Containers.close(container);
            } finally {
                stopped.countDown();
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
        Uninterruptibly.run(stopped::await);
    }
}
