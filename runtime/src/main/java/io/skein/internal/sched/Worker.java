package io.skein.internal.sched;

import io.skein.Metrics;
import io.skein.Scheduling;
import io.skein.internal.Uninterruptibly;
import io.skein.internal.io.Driver;
import io.skein.internal.loom.Loom;
import io.skein.internal.loom.Unparking;
import io.skein.internal.time.Timekeeper;
import io.skein.internal.time.TimerWheel;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * A platform thread that runs coroutines, drives their I/O and keeps their timers, and sleeps in one place only: inside its
 * driver, until the next timer is due.
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
final class Worker extends Thread implements Timekeeper {
    /** After so many coroutines the worker looks at everything else, whatever is left to run. */
    static final int RUNS_PER_TURN = 61;

    /** How many coroutines that were sent to this worker a turn runs at most. */
    private static final int ARRIVALS_PER_TURN = 30;

    /** How many of the global queue's a turn runs at most: with the worker's own in plenty, they still get a third. */
    private static final int GLOBAL_RUNS_PER_TURN = 30;

    /** So many runs in a row may come from the last-in slot while others wait. */
    private static final int LAST_IN_RUNS = 3;

    private final int id;
    private final Scheduler scheduler;
    private final Crew crew;
    private final Bed bed;
    private final RunQueue runQueue;
    private final LastInSlot lastIn;
    private final SharedQueue arrivals = new SharedQueue();
    private final MpscUnboundedVarHandleArrayQueue<Runnable> messages = new MpscUnboundedVarHandleArrayQueue<>(64);
    private final CountDownLatch opened = new CountDownLatch(1);
    private final WorkerCounters counters = new WorkerCounters();
    private final TimerWheel wheel = new TimerWheel(System::nanoTime, this);
    private final WorkerLane lane;
    private final Backlog backlog;
    private final Idleness idleness;

    private @Nullable Driver driver;
    private @Nullable Throwable openFailure;

    /** Whether this worker counts as a searcher in {@link IdleWorkers}; {@link Idleness} writes it, and every run reads it. */
    boolean searching;

    /** Whether operations complete or timers fire: what they wake is announced once, afterwards. */
    private boolean driving;

    /** How many runs in a row came from the last-in slot. */
    private int lastInRuns;

    private volatile boolean stopping;

    /** A worker, not yet started. */
    Worker(int id, Scheduler scheduler, Crew crew, Bed bed, SchedulerSettings settings) {
        super(null, null, settings.name() + "-worker-" + id, settings.stackSize(), false);
        this.id = id;
        this.scheduler = scheduler;
        this.crew = crew;
        this.bed = bed;
        boolean stealing = settings.scheduling() == Scheduling.STEALING;
        this.lastIn = new LastInSlot(crew.hasThieves());
        this.runQueue = new RunQueue(settings.queueCapacity(), stealing ? crew.global() : arrivals, crew.hasThieves());
        this.lane = new WorkerLane(this, crew, messages);
        this.backlog = new Backlog(runQueue.thief(), arrivals, lastIn, counters);
        this.idleness = new Idleness(this, crew, bed, runQueue, counters);
        setDaemon(true);
    }

    /** The worker that carries the calling thread, or null. */
    static @Nullable Worker current() {
        return Loom.currentCarrier() instanceof Worker worker ? worker : null;
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

    Bed bed() {
        return bed;
    }

    WorkerCounters counters() {
        return counters;
    }

    @Override
    public Thread thread() {
        return this;
    }

    @Override
    public TimerWheel wheel() {
        return wheel;
    }

    @Override
    public long runs() {
        return counters.runMarks();
    }

    /** The way to its driver, for any thread. */
    WorkerLane lane() {
        return lane;
    }

    /** What waits to run here, for everybody else. */
    Backlog backlog() {
        return backlog;
    }

    Metrics.Worker metrics() {
        Driver own = driver;
        long enters = own == null ? 0 : own.enters();
        return new Metrics.Worker(
                counters.runs(),
                counters.steals(),
                runQueue.spills(),
                counters.sleeps(),
                counters.wakeUps(),
                backlog.size(),
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
        boolean inSlotOnly = false;
        if (Thread.currentThread().isVirtual()) { // woken by the coroutine that runs, which will soon give way
            Runnable displaced = lastIn.put(runnable);
            inSlotOnly = displaced == null;
            if (displaced != null) {
                runQueue.push(displaced);
            }
        } else {
            runQueue.push(runnable);
        }
        if (!driving && crew.hasThieves() && !(inSlotOnly && bed.idle().isAnyNapping())) {
            crew.announce();
        }
    }

    /** Sends a coroutine to this worker. Any thread may call it; it never blocks. */
    void arrive(Runnable runnable) {
        arrivals.take(runnable);
        crew.wake(this);
        crew.announce(); // it may be busy for long, and another free
    }

    /** Ends the loop when nothing is left to run. Nobody but who has ended may be sent afterwards: it stays where it is. */
    void requestStop() {
        stopping = true;
        crew.wake(this);
    }

    boolean isStopping() {
        return stopping;
    }

    /** Ends this worker's sleep. Called by whoever took its bit from {@link IdleWorkers}. */
    void signal() {
        ownDriver().wakeUp();
    }

    // The loop.

    @Override
    public void run() {
        try {
            boolean _ = Unparking.prepare(); // where it has none, unparking is the JDK's
            scheduler.affinity().bind(this);
            driver = scheduler.backend().openDriver();
        } catch (IOException | RuntimeException | Error e) {
            openFailure = e;
            return;
        } finally {
            opened.countDown();
        }
        while (turn()) {}
        crew.awaitSignallers();
        ownDriver().close();
    }

    /** One turn of the loop; returns false when it was the last. A failure in it must not take the worker away. */
    private boolean turn() {
        counters.turn();
        try {
            runBatch();
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
            drive(0); // what was started must not wait for a run of unknown length
            run(found);
            return true;
        } catch (RuntimeException | Error e) {
            scheduler.reportDefect(this, e);
            return true;
        }
    }

    private void runBatch() {
        for (int i = 0; i < RUNS_PER_TURN; i++) {
            Runnable next = nextOwn();
            if (next == null) {
                return;
            }
            run(next);
        }
    }

    private void runGlobal() {
        for (int i = 0; i < GLOBAL_RUNS_PER_TURN; i++) {
            Runnable shared = crew.pollGlobal();
            if (shared == null) {
                return;
            }
            run(shared);
        }
    }

    private @Nullable Runnable nextOwn() {
        if (lastInRuns < LAST_IN_RUNS) {
            Runnable last = lastIn.take();
            if (last != null) {
                lastInRuns++;
                return last;
            }
        }
        lastInRuns = 0;
        Runnable first = runQueue.pop();
        return first != null ? first : lastIn.take();
    }

    private void run(Runnable runnable) {
        if (searching) {
            idleness.stopSearching();
        }
        counters.run();
        if (runnable
                instanceof SpawnedCoroutine<?> parked) { // queued as itself; else the JDK has queued its continuation
            parked.goOn();
        } else {
            runnable.run();
        }
        counters.run();
    }

    private void readInbox() {
        readMessages();
        for (int i = 0; i < ARRIVALS_PER_TURN; i++) { // run, not queued: the queue may be full for ever
            Runnable arrived = arrivals.poll();
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
                return;
            }
            message.run();
        }
    }

    boolean hasOwnWork() {
        return !runQueue.isEmpty() || !lastIn.isEmpty() || !messages.isEmpty() || !arrivals.isEmpty();
    }

    void drive(long timeoutNanos) {
        driving = true;
        try {
            ownDriver().drive(timeoutNanos);
            wheel.expire();
        } finally {
            driving = false;
        }
        announceWoken();
    }

    private void announceWoken() {
        if (crew.hasThieves() && runQueue.size() > 1) {
            crew.announce();
        }
    }

    Driver ownDriver() {
        Driver own = driver;
        if (own == null) {
            throw new IllegalStateException(getName() + " has no driver");
        }
        return own;
    }
}
