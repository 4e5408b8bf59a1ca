package io.skein.internal.sched;

import io.skein.Metrics;
import io.skein.Scheduling;
import io.skein.internal.Headroom;
import io.skein.internal.Uninterruptibly;
import io.skein.internal.io.CancelRequests;
import io.skein.internal.io.Driver;
import io.skein.internal.loom.Loom;
import io.skein.internal.loom.Unparking;
import io.skein.internal.time.Timekeeper;
import io.skein.internal.time.TimerWheel;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * What runs coroutines on a platform thread of its own, drives their I/O and keeps their timers. It sleeps in one place only: inside
 * its driver, until the next timer is due.
 *
 * <p>Its sources of work, in the order in which it looks at them: its own run queue with the last-in slot; its inbox
 * (coroutines sent to it, and messages for its driver); the global queue; other workers' queues; its driver. After
 * {@value #RUNS_PER_TURN} coroutines in a row it looks at inbox, global queue and driver whatever is left to run, and
 * takes no more than a bounded batch of any. Timers that are due are fired after each drive. A worker of a pinned runtime has neither a global queue nor thieves.
 *
 * <p>Who touches what. The run queue's owner view, the driver, the wheel and everything not said otherwise here: this thread
 * only, coroutines mounted on it included. Others have {@link #backlog}, by which they see what waits here and take from it, and
 * {@link #lane}, by which they reach the driver. The inbox: anybody may send; this thread reads messages, and coroutines are
 * taken by thieves too. What it does when it has nothing of its own, and how it sleeps, is {@link Idleness}; how it is woken is
 * told in {@link IdleWorkers}.
 */
final class Worker implements Idleness.Host {
    /** After so many coroutines the worker looks at everything else, whatever is left to run. */
    static final int RUNS_PER_TURN = 61;

    /** How many coroutines that were sent to this worker a turn runs at most. */
    private static final int ARRIVALS_PER_TURN = 30;

    /** How many of the global queue's a turn runs at most: with the worker's own in plenty, they still get a third. */
    private static final int GLOBAL_RUNS_PER_TURN = 30;

    /** How long a worker waits for memory where it cannot go on without. */
    static final long MEMORY_RETRY_NANOS = 10_000_000;

    private static final VarHandle RUNNING;

    static {
        try {
            RUNNING = MethodHandles.lookup().findVarHandle(Worker.class, "running", Runnable.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int id;
    private final Thread thread;
    private final Scheduler scheduler;
    private final Crew crew;
    private final WorkSharing sharing;
    private final int place;
    private final OwnQueues queues;
    private final MpscUnboundedVarHandleArrayQueue<Runnable> messages = new MpscUnboundedVarHandleArrayQueue<>(64);
    private final CancelRequests cancels = new CancelRequests();
    private final ReserveQueue reserve = new ReserveQueue();
    private final CountDownLatch opened = new CountDownLatch(1);
    private final WorkerCounters counters = new WorkerCounters();
    private final TimerWheel wheel;
    private final WorkerLane lane;
    private final Idleness idleness;
    private final StandIn standIn = new StandIn(this);

    /** Made beforehand, because it is needed when the heap is full. */
    private final Consumer<Runnable> requeue;

    private @Nullable Driver driver;
    private @Nullable Throwable openFailure;

    /**
     * What runs, or ran last; the watchdog reads it. Written by opaque stores before the run is counted, and kept after it until the
     * worker sleeps: what the watchdog finds here may be over.
     */
    private volatile @Nullable Runnable running;

    /** Whether the coroutine that runs, or ran last, goes to the run queue's end because its budget is spent. */
    private boolean gaveWay;

    private final TurnClock turnClock = new TurnClock(System::nanoTime);

    private volatile boolean asleep;

    /** Whether one run has held this worker from one look of the watchdog to the next. Written by the watchdog. */
    private volatile boolean held;

    /** How the coroutine that is about to give way leaves for a spare carrier. Set and cleared within that yield. */
    private @Nullable Departure leaving;

    private volatile boolean stopping;

    /**
     * A worker, not yet started.
     *
     * @param sharing all workers' under stealing, this worker's own under pinning
     * @param place the worker's place there
     */
    Worker(int id, Scheduler scheduler, Crew crew, WorkSharing sharing, int place, SchedulerSettings settings) {
        this.id = id;
        String name = settings.name() + "-worker-" + id;
        this.thread = Loom.available()
                ? WorkerThread.of(this, name, settings.stackSize())
                : new Thread(null, this::run, name, settings.stackSize(), false);
        this.wheel = new TimerWheel(System::nanoTime, thread);
        this.scheduler = scheduler;
        this.crew = crew;
        this.sharing = sharing;
        this.place = place;
        boolean stealing = settings.scheduling() == Scheduling.STEALING;
        this.queues = new OwnQueues(sharing, place, settings.queueCapacity(), stealing, counters::runMarks);
        this.requeue = queues::requeue;
        this.lane = new WorkerLane(this, messages, cancels);
        this.idleness = new Idleness(this, sharing, place, queues.runQueue(), counters);
        thread.setDaemon(true);
    }

    /** The worker that carries the calling thread, or null. */
    static @Nullable Worker current() {
        return Loom.currentCarrier() instanceof WorkerThread carrier ? carrier.worker() : null;
    }

    void start() {
        thread.start();
    }

    /** Waits until its thread has ended. */
    void join() throws InterruptedException {
        thread.join();
    }

    String name() {
        return thread.getName();
    }

    int id() {
        return id;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    Crew crew() {
        return crew;
    }

    WorkerCounters counters() {
        return counters;
    }

    Thread thread() {
        return thread;
    }

    TimerWheel wheel() {
        return wheel;
    }

    /** A number that is another whenever it has begun to run somebody. */
    long runs() {
        return counters.runMarks();
    }

    /** The way to its driver, for any thread. */
    WorkerLane lane() {
        return lane;
    }

    StandIn standIn() {
        return standIn;
    }

    /** What waits to run here, for everybody else. */
    Backlog backlog() {
        return queues.backlog();
    }

    Metrics.Worker metrics() {
        Driver own = driver;
        long enters = own == null ? 0 : own.enters();
        return new Metrics.Worker(
                counters.runs(),
                counters.steals(),
                queues.spills(),
                counters.sleeps(),
                counters.wakeUps(),
                backlog().size(),
                counters.turns(),
                enters);
    }

    /** Waits until the worker has its driver, and says why when it could not have one. */
    void awaitOpened() throws IOException {
        Uninterruptibly.run(opened::await);
        if (openFailure != null) {
            throw new IOException(openFailure.getMessage(), openFailure);
        }
    }

    // What comes in: from this thread by schedule, from any thread by the rest.

    /** Queues a coroutine that is to run. Called on this worker's thread; it never blocks. */
    void schedule(Runnable runnable) {
        Departure departure = leaving;
        if (departure != null) {
            leaving = null;
            if (scheduler.spares().run(departure.of(runnable))) {
                return;
            }
        }
        boolean next = Thread.currentThread().isVirtual();
        if (gaveWay && !next && queues.isEmpty()) {
            queues.requeue(runnable); // it gave way to the driver alone, and runs here next
        } else {
            queues.schedule(runnable, next);
        }
    }

    /** Sends a coroutine to this worker. Any thread may call it; it never blocks. */
    void arrive(Runnable runnable) {
        queues.arrive(runnable);
    }

    /** As {@link #arrive}, but takes no memory, and no thief sees it. Any thread may call it; it never blocks. */
    void arriveInReserve(SpawnedCoroutine<?> coroutine) {
        reserve.add(coroutine);
        wake();
    }

    /** To be called after something was sent to this worker alone. Any thread may call it. */
    void wake() {
        sharing.wake(place);
    }

    /** Ends the loop when nothing is left to run. Nobody but who has ended may be sent afterwards: it stays where it is. */
    void requestStop() {
        stopping = true;
        wake();
    }

    @Override
    public boolean isStopping() {
        return stopping;
    }

    /** Ends the sleep of a coroutine that stands in for this worker, if there is one. Any thread may call it. */
    void wakeStandIn() {
        sharing.wakeStandIn(place);
    }

    /** Ends this worker's sleep. Called by whoever took its bit from {@link IdleWorkers}. */
    void signal() {
        ownDriver().wakeUp();
    }

    // The loop.

    /** What its thread does. */
    void run() {
        try {
            scheduler.affinity().bind(this);
            driver = scheduler.backend().openDriver();
            rehearse();
        } catch (IOException | RuntimeException | Error e) {
            openFailure = e;
            if (driver != null) { // what came after it has failed
                close(driver);
            }
            return;
        } finally {
            opened.countDown();
        }
        while (survivingTurn()) {}
        sharing.endStandIn(place); // one that ran out of stack may have left its mark
        sharing.awaitSignallers();
        close(ownDriver());
    }

    /** Tries until it is done, because nobody else will. */
    private static void close(Driver own) {
        while (true) {
            try {
                own.close();
                return;
            } catch (OutOfMemoryError e) {
                LockSupport.parkNanos(MEMORY_RETRY_NANOS);
            }
        }
    }

    /**
     * Calls once what may first be needed when the heap is full, by this worker or to rescue it: to load a class takes memory, and to link
     * a call by a handle. The wake-up ends the first sleep at once.
     */
    private void rehearse() {
        boolean _ = Unparking.prepare(); // where it has none, unparking is the JDK's
        signal();
        if (Loom.available()) {
            running = Loom.rehearse();
            Thread _ = runningThread();
            forgetRunning();
            standIn.rehearse(); // which the signal ends
            signal();
        }
        TimeLimit.prepare();
    }

    /** A turn whose failure, whatever it is, does not take the worker away. Returns false when it was the last. */
    private boolean survivingTurn() {
        try {
            return turn();
        } catch (Throwable e) {
            scheduler.reportDefect(this, e);
            return true;
        }
    }

    private boolean turn() {
        counters.turn();
        runBatch();
        runReserve();
        readInbox();
        runGlobal();
        if (hasOwnWork()) {
            drive(0);
            return true;
        }
        Runnable found = idleness.findWork();
        if (found == null) {
            return idleness.sleep();
        }
        try {
            drive(0); // what was started must not wait for a run of unknown length
        } finally {
            run(found); // it is in no queue any more
        }
        return true;
    }

    private void runBatch() {
        for (int i = 0; i < RUNS_PER_TURN && (i == 0 || !isDriveDue()); i++) {
            Runnable next = queues.next();
            if (next == null) {
                return;
            }
            run(next);
        }
    }

    private void runReserve() {
        for (int i = 0; i < ARRIVALS_PER_TURN && !reserve.isEmpty(); i++) {
            SpawnedCoroutine<?> next = reserve.poll();
            if (next == null) {
                return;
            }
            run(next, true);
        }
    }

    private void runGlobal() {
        for (int i = 0; i < GLOBAL_RUNS_PER_TURN && (i == 0 || !isDriveDue()); i++) {
            Runnable shared = sharing.pollGlobal();
            if (shared == null) {
                return;
            }
            run(shared);
        }
    }

    private void run(Runnable runnable) {
        run(runnable, false);
    }

    private void run(Runnable runnable, boolean fromReserve) {
        if (idleness.isSearching()) {
            idleness.stopSearching();
        }
        RUNNING.setOpaque(this, runnable);
        renewBudget();
        gaveWay = false;
        counters.run();
        try {
            Runs.run(runnable, fromReserve);
        } catch (Throwable e) {
            Runs.requeueIfLost(runnable, requeue);
            scheduler.reportDefect(this, e);
        } finally {
            counters.run();
            turnClock.countRun();
        }
    }

    /**
     * The virtual thread that this worker runs, or has run last; null if it has run none. Any thread may call it, and it allocates
     * nothing.
     */
    @Nullable
    Thread runningThread() {
        Runnable latest = running; // no call by a handle, which would take memory to link
        return latest == null ? null : Runs.threadOf(latest);
    }

    @Override
    public void goesToSleep() {
        forgetRunning();
        asleep = true;
    }

    /** Keeps nobody reachable who has run last. */
    private void forgetRunning() {
        RUNNING.setOpaque(this, null);
    }

    private void readInbox() {
        readMessages();
        // They are run and not queued: the queue may be full for ever.
        for (int i = 0; i < ARRIVALS_PER_TURN && (i == 0 || !isDriveDue()); i++) {
            Runnable arrived = queues.nextArrival();
            if (arrived == null) {
                return;
            }
            run(arrived);
        }
    }

    void readMessages() {
        for (int i = 0; i < RUNS_PER_TURN; i++) {
            Runnable message = messages.poll();
            if (message == null) {
                cancels.carryOut(ownDriver()); // now that all has started that was sent before them
                return;
            }
            message.run();
        }
    }

    @Override
    public boolean hasOwnWork() {
        return !queues.isEmpty() || hasMessages() || !reserve.isEmpty();
    }

    @Override
    public boolean hasMessages() {
        return !messages.isEmpty() || !cancels.isEmpty();
    }

    @Override
    public long nanosToNextTimer() {
        return wheel.nanosToNext();
    }

    /** Whether it is in its sleep, and runs nobody. For the watchdog. */
    boolean isAsleep() {
        return asleep;
    }

    /** Called by the watchdog at each look. */
    void held(boolean now) {
        if (held != now) {
            held = now;
        }
    }

    /** Whether it was held by one coroutine when the watchdog last looked. A hint, for who has the choice between workers. */
    boolean isHeld() {
        return held;
    }

    @Override
    public void woke() {
        asleep = false; // before the watchdog is looked at: see there
        scheduler.watchdog().workerWoke();
    }

    @Override
    public void drive(long timeoutNanos) {
        queues.startGathering();
        gaveWay = false;
        if (timeoutNanos == 0) {
            turnClock.nextTurn();
        } else {
            turnClock.sleep();
        }
        try {
            ownDriver().drive(timeoutNanos);
            wheel.expire();
        } finally {
            queues.stopGathering();
        }
    }

    @Override
    public void driveOnly(long timeoutNanos) {
        ownDriver().drive(timeoutNanos);
    }

    /** What a turn does beside running others, for a coroutine that {@linkplain StandIn stands in}. */
    void driveInPlace(Timekeeper.Wait wait, long longestNanos) {
        readMessages();
        idleness.sleepInPlace(wait, longestNanos);
        wheel.expire();
    }

    private void renewBudget() {
        if (thread instanceof WorkerThread carrier) {
            carrier.renewBudget();
        }
    }

    /**
     * Moves the coroutine that runs to a spare carrier, since it is about to block this thread.
     *
     * @return false if it cannot give way, or if there is no spare for it; if true, it may still be back at some worker
     */
    @SuppressWarnings("ThreadPriorityCheck") // it yields to change its carrier
    boolean leaveToBlock() {
        if (standIn.isServing() || !scheduler.spares().hasRoom()) {
            return false;
        }
        Departure departure;
        try {
            Headroom.toBegin();
            departure = new Departure();
            leaving = departure;
            Thread.yield();
        } catch (StackOverflowError | OutOfMemoryError e) {
            leaving = null; // it has not given way: there is too little stack or memory to put it aside
            return false;
        }
        Worker here = current();
        if (here != null) {
            departure.callOff();
        }
        if (here == this && leaving == departure) {
            leaving = null; // it has not given way, being pinned most likely
            return false;
        }
        return true;
    }

    /**
     * Sends the coroutine that runs to the end of the run queue, if somebody else is there to run or the driver has
     * waited for long. Then others run, and the driver is driven in its turn: see {@link #isDriveDue}.
     */
    @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it
    void budgetSpent() {
        renewBudget();
        if (!Thread.currentThread().isVirtual() || standIn.isServing()) {
            return; // this thread itself, or who stands in for it, which ends a wait or fires a timer
        }
        gaveWay = true;
        if (hasOwnWork() || !sharing.global().isEmpty() || turnClock.isOverNow()) {
            try {
                Headroom.toBegin();
                Thread.yield(); // from here on it may be on another worker
            } catch (StackOverflowError e) {
                // Its stack is too large to be put aside, or there is too little of it: it goes on.
            }
        } else {
            gaveWay = false;
        }
    }

    /** Whether coroutines have run for a slice since the last drive. One that has given way for its budget is seen at once. */
    private boolean isDriveDue() {
        return gaveWay ? turnClock.isOverNow() : turnClock.isOver();
    }

    Driver ownDriver() {
        Driver own = driver;
        if (own == null) {
            throw new IllegalStateException(name() + " has no driver");
        }
        return own;
    }
}
