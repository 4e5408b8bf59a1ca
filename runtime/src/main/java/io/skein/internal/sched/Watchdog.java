package io.skein.internal.sched;

import io.skein.internal.Uninterruptibly;
import io.skein.internal.loom.Loom;
import io.skein.internal.loom.Unparking;
import io.skein.internal.time.Durations;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Notices a worker that one coroutine has held for long, rescues it if the coroutine only waits, and reports it otherwise.
 *
 * <p>It is a thread of its own. While workers run it looks at their {@link WorkerCounters#runMarks} once in a while: a mark
 * that is odd and has not changed since the last look belongs to a coroutine that has held its worker all that time. When no
 * mark has moved and all workers are asleep, it parks without a bound until a worker that wakes unparks it. An even mark that stands
 * still is not enough: a worker may be held up between two runs, by the garbage collector for one. So a
 * running worker pays for three opaque stores a run and two volatile ones a sleep, and an idle runtime for nothing.
 *
 * <p>No worker wakes unseen. A worker that wakes says that it is not asleep, and then looks whether the watchdog is parked. The
 * watchdog says that it is parked, and then looks whether all are asleep. Both are volatile, so one sees the other.
 *
 * <p>A coroutine that waits and yet holds its worker could not give way: a native frame or a class initialiser pins it, or the
 * heap was full when the JDK wanted to put its stack away. Then the JDK parks the worker's own thread, which may be the one
 * that has to end the wait. The watchdog unparks the coroutine at every look. Every park may end early, so whatever it waits for it
 * looks again, and tries to give way again. A wait of Skein's own then does the worker's part: see {@link StandIn}, by which most of them
 * are never found here.
 *
 * <p>A rescue allocates nothing, because it has to work when nothing else does. What a look throws is dropped, and the next look
 * comes. A report is written by a thread of its own: a log may block, and the stack of a thread that runs a generator cannot be had
 * before the generator gives way. While one is being written, no other is begun.
 *
 * <p>Where every worker is held, what is queued is run by spare carriers: see {@link Relief}.
 *
 * <p>A coroutine that holds its worker past a limit on its time is interrupted here, for its worker cannot. Sockets
 * that nobody refers to any more are looked for by the way.
 */
final class Watchdog extends Thread {
    private static final System.Logger LOG = System.getLogger("io.skein");

    /** How often it looks at the most seldom. */
    private static final long RESCUE_NANOS = 100_000_000;

    private final Worker[] workers;
    private final @Nullable Relief relief;
    private final LeakGuard leaks;
    private final long thresholdNanos;
    private final long lookNanos;

    /** By worker, as of the last look: its mark, and since when that is so. */
    private final long[] seen;

    private final long[] since;

    /** By worker: the mark of the last run that was reported. */
    private final long[] reported;

    /** Writes the latest report, or has written it. */
    private @Nullable Thread reporter;

    private volatile boolean parked;
    private volatile boolean stopping;

    /**
     * A watchdog, not yet started.
     *
     * @param threshold how long a coroutine may hold its worker before it is reported; zero for ever
     */
    Watchdog(Crew crew, String name, Duration threshold, LeakGuard leaks) {
        super(null, null, name + "-watchdog", 0, false);
        this.workers = crew.workers();
        this.relief = crew.relief();
        this.leaks = leaks;
        this.thresholdNanos = threshold.isZero() ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.convert(threshold);
        this.lookNanos = Math.min(thresholdNanos, RESCUE_NANOS);
        this.seen = new long[workers.length];
        this.since = new long[workers.length];
        this.reported = new long[workers.length];
        setDaemon(true);
        boolean _ = waits(this); // loads what a rescue needs, while there is memory for it
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
        if (relief != null) {
            relief.stop();
        }
        Thread last = reporter;
        if (last != null) {
            Uninterruptibly.run(last::join);
        }
    }

    @Override
    public void run() {
        while (!stopping) {
            try {
                LockSupport.parkNanos(lookNanos);
                boolean quiet = isQuietAfterLook();
                leaks.look();
                if (quiet) {
                    parkUntilWoken();
                }
            } catch (Throwable e) {
                // A full heap, most likely. The next look may have more luck.
            }
        }
    }

    /** Looks at every worker, and returns whether nothing runs. */
    private boolean isQuietAfterLook() {
        boolean quiet = true;
        int held = 0;
        for (int i = 0; i < workers.length; i++) {
            long mark = workers[i].counters().runMarks();
            boolean running = (mark & 1) != 0;
            quiet &= workers[i].isAsleep() && mark == seen[i];
            if (mark != seen[i]) {
                seen[i] = mark;
                since[i] = System.nanoTime();
                workers[i].held(false);
            } else if (running) {
                held++;
                workers[i].held(true);
                surviveInspecting(i, mark);
            }
        }
        JdkPollers.rescue(workers[0].scheduler()); // also where many short runs come before a poller's turn
        if (held == workers.length && relief != null) {
            relief.look(seen);
        }
        return quiet;
    }

    private void surviveInspecting(int worker, long mark) {
        try {
            inspect(worker, mark);
        } catch (Throwable e) {
            // As above; the other workers are looked at all the same.
        }
    }

    private void parkUntilWoken() {
        parked = true;
        for (Worker worker : workers) {
            if (!worker.isAsleep()) {
                parked = false;
                return;
            }
        }
        while (parked && !stopping) {
            LockSupport.park(this);
        }
    }

    private void inspect(int index, long mark) {
        Worker worker = workers[index];
        Thread thread = worker.runningThread();
        if (thread == null || Loom.carrierOf(thread) != worker.thread()) {
            return; // it gave way just now
        }
        if (waits(thread) && Loom.carrierOf(thread) == worker.thread()) {
            LockSupport.unpark(thread); // any park may end early, and then it stands in
        }
        if (Loom.executorOf(thread) instanceof SpawnedCoroutine<?> coroutine && coroutine.thread() == thread) {
            TimeLimit.interruptOverdue(coroutine);
        }
        if (reported[index] != mark
                && System.nanoTime() - since[index] >= thresholdNanos
                && (reporter == null || !reporter.isAlive())) {
            Thread next = new Thread(null, new Report(worker, thread, thresholdNanos), getName() + "-report", 0, false);
            next.setDaemon(true);
            next.start();
            reporter = next;
            reported[index] = mark;
        }
    }

    private static boolean waits(Thread thread) {
        State state = thread.getState();
        return state == State.WAITING || state == State.TIMED_WAITING;
    }

    private record Report(Worker worker, Thread thread, long thresholdNanos) implements Runnable {
        @Override
        public void run() {
            State state = thread.getState();
            StackTraceElement[] frames = Unparking.stackOf(thread);
            StringBuilder text = new StringBuilder()
                    .append(thread.getName().isEmpty() ? "coroutine-" + thread.threadId() : thread.getName())
                    .append(" has held ")
                    .append(worker.name())
                    .append(" for more than ")
                    .append(Durations.text(thresholdNanos))
                    .append("; ")
                    .append(HeldBy.of(state, frames).text());
            for (StackTraceElement frame : frames) {
                text.append(System.lineSeparator()).append("    at ").append(frame);
            }
            LOG.log(Level.WARNING, text.toString());
        }
    }
}
