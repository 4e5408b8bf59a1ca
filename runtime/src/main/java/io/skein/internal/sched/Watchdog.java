package io.skein.internal.sched;

import io.skein.internal.Uninterruptibly;
import io.skein.internal.loom.Loom;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Notices a worker that has run one coroutine for too long, and says which, with its stack.
 *
 * <p>It is a thread of its own. While workers run it looks at their {@link WorkerCounters#runMarks} once per threshold:
 * a mark that is odd and has not changed since the last look belongs to a coroutine that has held its worker all that
 * time. Each is reported once. When no mark has moved and none is odd, nothing runs, and it parks without a bound until a
 * worker that wakes unparks it. So a running worker pays for two opaque stores a run and one read a sleep, and an idle
 * runtime for nothing.
 *
 * <p>A coroutine that waits for I/O while a native frame or a class initialiser pins it holds the thread that would have
 * to drive that I/O. The watchdog tells it, and it drives itself. A coroutine that holds its worker past a limit on its time is
 * interrupted here, for its worker cannot.
 */
final class Watchdog extends Thread {
    private static final System.Logger LOG = System.getLogger("io.skein");

    private final Scheduler scheduler;
    private final long thresholdNanos;
    private volatile boolean parked;
    private volatile boolean stopping;

    /**
     * A watchdog, not yet started.
     *
     * @param threshold how long a coroutine may hold its worker; zero for ever
     */
    Watchdog(Scheduler scheduler, String name, Duration threshold) {
        super(null, null, name + "-watchdog", 0, false);
        this.scheduler = scheduler;
        this.thresholdNanos = TimeUnit.NANOSECONDS.convert(threshold);
        setDaemon(true);
    }

    /** Starts it, unless it is switched off. */
    void startIfWanted() {
        if (thresholdNanos > 0) {
            start();
        }
    }

    /** Tells that there is something to watch again. Called by workers. */
    void workerWoke() {
        if (parked) {
            parked = false;
            LockSupport.unpark(this);
        }
    }

    void stopAndJoin() {
        stopping = true;
        LockSupport.unpark(this);
        Uninterruptibly.run(this::join);
    }

    @Override
    public void run() {
        Worker[] workers = scheduler.crew().workers();
        long[] seen = new long[workers.length];
        long[] reported = new long[workers.length];
        while (!stopping) {
            LockSupport.parkNanos(thresholdNanos);
            boolean quiet = true;
            for (int i = 0; i < workers.length; i++) {
                long mark = workers[i].counters().runMarks();
                boolean running = (mark & 1) != 0;
                if (running && mark == seen[i]) {
                    inspect(workers[i], mark != reported[i]);
                    reported[i] = mark;
                }
                quiet &= !running && mark == seen[i];
                seen[i] = mark;
            }
            if (quiet) {
                parkUntilWoken(workers, seen);
            }
        }
    }

    /** A worker that wakes after {@code parked} is set unparks this thread; one that woke before has moved its mark. */
    private void parkUntilWoken(Worker[] workers, long[] seen) {
        parked = true;
        for (int i = 0; i < workers.length; i++) {
            if (workers[i].counters().runMarks() != seen[i]) {
                parked = false;
                return;
            }
        }
        while (parked && !stopping) {
            LockSupport.park(this);
        }
    }

    private void inspect(Worker worker, boolean isNew) {
        Thread thread = mountedOn(worker);
        if (thread == null) {
            return; // it gave way just now
        }
        if (thread.getState() == State.WAITING && Loom.carrierOf(thread) == worker) { // mounted and waiting: pinned
            worker.lane().rescue(thread);
        }
        if (Loom.executorOf(thread) instanceof SpawnedCoroutine<?> coroutine && coroutine.thread() == thread) {
            TimeLimit.interruptOverdue(coroutine);
        }
        if (isNew) {
            report(worker, thread);
        }
    }

    private void report(Worker worker, Thread thread) {
        StringBuilder text = new StringBuilder()
                .append(thread.getName().isEmpty() ? "coroutine-" + thread.threadId() : thread.getName())
                .append(" has held ")
                .append(worker.getName())
                .append(" for more than ")
                .append(thresholdNanos / 1_000_000)
                .append(" ms; blocking code belongs in Skein.blocking");
        for (StackTraceElement frame : thread.getStackTrace()) {
            text.append(System.lineSeparator()).append("    at ").append(frame);
        }
        LOG.log(Level.WARNING, text.toString());
    }

    private @Nullable Thread mountedOn(Worker worker) {
        return scheduler
                .threads()
                .filter(thread -> Loom.carrierOf(thread) == worker)
                .findFirst()
                .orElse(null);
    }
}
