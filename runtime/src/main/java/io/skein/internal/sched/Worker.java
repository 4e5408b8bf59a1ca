package io.skein.internal.sched;

import io.skein.Metrics;
import io.skein.Scheduling;
import io.skein.internal.Uninterruptibly;
import io.skein.internal.io.Driver;
import io.skein.internal.io.Lane;
import io.skein.internal.io.Operation;
import io.skein.internal.loom.Loom;
import io.skein.internal.time.Timekeeper;
import io.skein.internal.time.TimerWheel;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
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
 * <p>Who touches what. The run queue's owner view, the driver, the wheel and everything not said otherwise here: this thread only,
 * coroutines mounted on it included. The last-in slot and the run queue's thief view: every worker. The inbox: anybody
 * may send; this thread reads messages, and coroutines are taken by thieves too. How a worker sleeps and is woken is told
 * in {@link IdleWorkers}.
 */
final class Worker extends Thread implements Lane, Timekeeper {
    /** After so many coroutines the worker looks at everything else, whatever is left to run. */
    static final int RUNS_PER_TURN = 61;

    /** How many coroutines that were sent to this worker a turn runs at most. */
    private static final int ARRIVALS_PER_TURN = 30;

    /** How many of the global queue's a turn runs at most: with the worker's own in plenty, they still get a third. */
    private static final int GLOBAL_RUNS_PER_TURN = 30;

    /** So many runs in a row may come from the last-in slot while others wait. */
    private static final int LAST_IN_RUNS = 3;

    /** How long a thief waits for a last-in slot's owner to run something else, before it takes the occupant. */
    private static final int LAST_IN_PATIENCE_SPINS = 200;

    /** How long a worker naps. */
    private static final long NAP_NANOS = 500_000;

    /** Where a worker sleeps: its number in an {@link IdleWorkers}. */
    record Bed(IdleWorkers idle, int id) {}

    /** How long a coroutine that drives in place sleeps before it looks at the messages again. */
    private static final long IN_PLACE_NANOS = 10_000_000;

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

    private @Nullable Driver driver;
    private @Nullable Throwable openFailure;

    /** Whether this worker counts as a searcher in {@link IdleWorkers}. */
    private boolean searching;

    /** Whether its last search met a last-in slot that was left to its owner. */
    private boolean sawLastIn;

    /** Whether operations complete or timers fire: what they wake is announced once, afterwards. */
    private boolean driving;

    /** How many runs in a row came from the last-in slot. */
    private int lastInRuns;

    /** The thread that the watchdog found waiting while it holds this worker, or null. */
    private volatile @Nullable Thread heldBy;

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

    /** How many coroutines wait in its queues, as far as another thread can tell. */
    int queued() {
        return runQueue.thief().size() + arrivals.size();
    }

    /** How much it has to do: what waits, and what runs. */
    int load() {
        return queued() + (hasLastIn() ? 1 : 0) + (int) (counters.runMarks() & 1);
    }

    boolean hasLastIn() {
        return !lastIn.isEmpty();
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
                queued() + (hasLastIn() ? 1 : 0),
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

    private void send(Runnable message) {
        messages.offer(message);
        crew.wake(this);
    }

    @Override
    public void start(Operation operation) {
        if (current() == this) {
            ownDriver().start(operation);
        } else {
            send(() -> ownDriver().start(operation));
        }
    }

    @Override
    public void cancel(Operation operation, int run) {
        if (current() == this && messages.isEmpty()) { // its start may be among them, sent from elsewhere
            cancelHere(operation, run);
        } else {
            send(() -> cancelHere(operation, run));
        }
    }

    @Override
    public boolean isHeldByCaller() {
        if (heldBy != Thread.currentThread()) {
            return false;
        }
        heldBy = null;
        return true;
    }

    @Override
    public void driveInPlace() {
        if (current() == this) {
            readMessages();
            ownDriver().drive(Math.min(IN_PLACE_NANOS, wheel.nanosToNext()));
            wheel.expire();
        } else {
            Thread.onSpinWait();
        }
    }

    /** Tells a coroutine that it waits pinned to this worker, and makes it look. Called by the watchdog. */
    void rescue(Thread pinned) {
        heldBy = pinned;
        LockSupport.unpark(pinned);
    }

    private void cancelHere(Operation operation, int run) {
        if (operation.tryCancel(run)) {
            ownDriver().cancel(operation);
        }
    }

    /** Ends the loop when nothing is left to run. Nothing may be sent afterwards. */
    void requestStop() {
        stopping = true;
        crew.wake(this);
    }

    /** Ends this worker's sleep. Called by whoever took its bit from {@link IdleWorkers}. */
    void signal() {
        ownDriver().wakeUp();
    }

    // The loop.

    @Override
    public void run() {
        try {
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
            return findWork() || sleep();
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
        stopSearching();
        counters.run();
        runnable.run();
        counters.run();
    }

    /** Having found work, the last searcher wakes another: there may be more. */
    private void stopSearching() {
        if (searching) {
            searching = false;
            if (bed.idle().stopSearching()) {
                crew.announce();
            }
        }
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

    private void readMessages() {
        for (int i = 0; i < RUNS_PER_TURN; i++) {
            Runnable message = messages.poll();
            if (message == null) {
                return;
            }
            message.run();
        }
    }

    private boolean hasOwnWork() {
        return !runQueue.isEmpty() || !lastIn.isEmpty() || !messages.isEmpty() || !arrivals.isEmpty();
    }

    /** Looks for work that is not its own, and runs the first it finds. */
    private boolean findWork() {
        Runnable found = crew.pollGlobalInto(runQueue);
        if (found == null && crew.hasThieves() && (searching || bed.idle().startSearching())) {
            searching = true;
            sawLastIn = false;
            found = steal();
        }
        if (found == null) {
            return false;
        }
        drive(0); // what was started must not wait for a run of unknown length
        run(found);
        return true;
    }

    private @Nullable Runnable steal() {
        Worker victim = crew.mostLoaded(this);
        Runnable stolen = victim == null ? null : victim.runQueue.thief().stealHalfInto(runQueue);
        if (stolen == null && victim != null) {
            stolen = victim.arrivals.poll();
        }
        if (stolen == null) {
            stolen = stealLastIn();
        }
        if (stolen != null) {
            counters.steal();
        }
        return stolen;
    }

    /** Takes what another worker is to run next, but only if that worker does not get to it soon. */
    private @Nullable Runnable stealLastIn() {
        for (Worker victim : crew.workers()) {
            if (victim != this && victim.hasLastIn()) {
                sawLastIn = true;
                Runnable stolen = victim.isStuck() ? victim.lastIn.take() : null;
                if (stolen != null) {
                    return stolen;
                }
            }
        }
        return null;
    }

    /** Watches for a while whether it runs one coroutine all the time. Called by a thief. */
    private boolean isStuck() {
        long marks = counters.runMarks();
        for (int spins = 0; spins < LAST_IN_PATIENCE_SPINS; spins++) {
            Thread.onSpinWait();
            if (counters.runMarks() != marks) {
                return false;
            }
        }
        return true;
    }

    /** Sleeps until there is something to do; the steps are told in {@link IdleWorkers}. Returns false to end. */
    private boolean sleep() {
        if (stopping) {
            return false;
        }
        boolean nap = sawLastIn;
        if (nap) {
            bed.idle().startNap();
        }
        boolean wasLastSearcher = bed.idle().fallAsleep(bed.id(), searching);
        searching = false;
        boolean nothing = !stopping && !hasOwnWork() && !crew.hasWorkFor(this, wasLastSearcher, nap);
        counters.sleep();
        try {
            drive(nothing ? Math.min(wheel.nanosToNext(), nap ? NAP_NANOS : Driver.FOREVER) : 0);
        } finally {
            searching = bed.idle().wakeUp(bed.id());
            if (nap) {
                endNap();
            }
        }
        if (searching) {
            counters.wakeUp();
        }
        scheduler.watchdog().workerWoke();
        return true;
    }

    /** What was put into a last-in slot meanwhile was left to this worker, which may now have better things to do. */
    private void endNap() {
        sawLastIn = false;
        bed.idle().endNap();
        if (crew.withLastIn(this) != null) {
            crew.announce();
        }
    }

    private void drive(long timeoutNanos) {
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

    private Driver ownDriver() {
        Driver own = driver;
        if (own == null) {
            throw new IllegalStateException(getName() + " has no driver");
        }
        return own;
    }
}
