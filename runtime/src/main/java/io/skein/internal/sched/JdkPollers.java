package io.skein.internal.sched;

import io.skein.internal.Uninterruptibly;
import io.skein.internal.loom.Loom;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Runs the virtual threads by which the JDK polls its own sockets and channels where those run that they wake: a poller that wakes
 * coroutines runs on their workers, so that a wake-up crosses no threads; any other runs on the JDK's scheduler.
 *
 * <p>Any thread may call it. There is one for the process, as there is one set of pollers. A poller begins on the JDK's scheduler. When it
 * wakes a coroutine there, it moves to that coroutine's runtime, its host; when it has woken none of the host's for {@value #BARREN_TURNS}
 * turns, it moves back. So the JDK's virtual threads keep the pollers that serve them.
 *
 * <p>A turn of a poller at a host counts as a guest of the host from before it is queued until after it has run, and a host that stops
 * waits for its guests and takes no more: no poller is left in the queues of a runtime that has ended. A poller is not counted among the
 * coroutines that live, and never keeps a runtime from stopping.
 *
 * <p>The sockets of the whole process depend on the pollers, and a worker may be held by a coroutine for long. So the {@link Watchdog}
 * has those turns run by the JDK's scheduler that have waited since its last look: {@link #rescue}. A turn may
 * then be in two queues. Who comes to it first clears {@code due} and runs it; the other does nothing.
 */
final class JdkPollers implements Executor {
    /** After so many turns in which it has woken nobody of its host, a poller leaves. A burst of wake-ups takes two or more. */
    private static final int BARREN_TURNS = 64;

    /** How long a poller that was rescued stays away from workers. */
    private static final long AWAY_NANOS = 1_000_000_000;

    /** Set before the first poller starts; without meaning where coroutines do not run on workers. */
    private static final JdkPollers ALL = new JdkPollers();

    private final Map<Thread, Poller> pollers = new ConcurrentHashMap<>();

    private volatile Executor jdk = Runnable::run;

    /** A class of its own, so that whoever starts the pollers waits until they are started. */
    private static final class Start {
        static {
            Executor scheduler = Loom.executorOf(Thread.ofVirtual().unstarted(() -> {}));
            Queue<Runnable> early = new ConcurrentLinkedQueue<>();
            ALL.jdk = turn -> {
                early.add(turn);
                if (ALL.jdk == scheduler) { // meanwhile
                    passOn(early, scheduler);
                }
            };
            Loom.newVirtualThread(ALL, "skein-jdk-pollers", Loom::startJdkPollers)
                    .start();
            // Here, and not on the JDK's carriers: who waits for this may hold them all, pinned by a class initialiser.
            early.remove().run();
            ALL.jdk = scheduler;
            passOn(early, scheduler);
        }

        private static void passOn(Queue<Runnable> early, Executor scheduler) {
            for (Runnable turn = early.poll(); turn != null; turn = early.poll()) {
                scheduler.execute(turn);
            }
        }

        static void once() {}
    }

    private JdkPollers() {}

    /**
     * Makes the JDK start its pollers, unless it has. They are virtual threads that inherit the scheduler of the one that starts them; left
     * to the first coroutine that uses a socket of the JDK, they would live in its runtime.
     */
    static void start() {
        if (Thread.currentThread().isVirtual()) {
            Uninterruptibly.run(Thread.ofPlatform().start(JdkPollers::startOutside)::join);
        } else {
            startOutside();
        }
    }

    private static void startOutside() {
        if (Loom.available()) {
            Start.once();
        } else {
            Loom.startJdkPollers();
        }
    }

    /** To be called by who wakes a coroutine of another runtime, or outside of all: a poller follows those whom it wakes. */
    static void wakes(Scheduler runtime) {
        Thread caller = Thread.currentThread();
        if (caller.isVirtual() && Loom.executorOf(caller) == ALL) {
            Poller poller = ALL.pollers.get(caller);
            if (poller != null) {
                poller.follow(runtime);
            }
        }
    }

    /** Has turns that wait at a runtime for long run elsewhere. Called by the runtime's watchdog at each look. */
    static void rescue(Scheduler runtime) {
        for (Poller poller : ALL.pollers.values()) {
            poller.rescue(runtime);
        }
    }

    /** Forgets a runtime that takes no guests any more. */
    static void leave(Scheduler runtime) {
        for (Poller poller : ALL.pollers.values()) {
            if (poller.host == runtime) {
                poller.host = null;
            }
        }
    }

    /** How many pollers run on the workers of a runtime. */
    static long guestsOf(Scheduler runtime) {
        return ALL.pollers.values().stream()
                .filter(poller -> poller.host == runtime)
                .count();
    }

    /** Queues a poller, where it is to run next. */
    @Override
    public void execute(Runnable continuation) {
        Thread thread = Loom.threadOf(continuation);
        Poller known = pollers.get(thread);
        (known != null ? known : adopt(thread, continuation)).queue();
    }

    private Poller adopt(Thread thread, Runnable continuation) {
        Poller poller = new Poller(thread, continuation);
        pollers.put(thread, poller);
        return poller;
    }

    /** A virtual thread of the JDK's that polls, as what is queued. */
    final class Poller implements Runnable {
        private final Thread thread;
        private final Runnable continuation;

        /** Whether it is to run; cleared by who runs it. */
        private final AtomicBoolean due = new AtomicBoolean();

        /** Where it runs; null for the JDK's scheduler. */
        private volatile @Nullable Scheduler host;

        /** Where its latest turn was queued, which may be no host of it any more; null for the JDK's scheduler. */
        private volatile @Nullable Scheduler queuedAt;

        /** Turns at the host since one that woke somebody there. The end of a turn may overlap the next one; it is an estimate. */
        private volatile int barren;

        /** Counts the turns that were queued. Two threads never queue it at a time, as it is never both running and due. */
        private volatile long turns;

        /** The value of {@link #turns} at the watchdog's last look. */
        private long seenTurns;

        private volatile long awayUntil = System.nanoTime();

        Poller(Thread thread, Runnable continuation) {
            this.thread = thread;
            this.continuation = continuation;
        }

        Thread thread() {
            return thread;
        }

        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time
        void queue() {
            turns++;
            Scheduler to = host;
            queuedAt = to;
            due.set(true);
            if (to == null || !queueAt(to)) {
                queuedAt = null;
                jdk.execute(this);
            }
        }

        private boolean queueAt(Scheduler to) {
            if (to.guests().isRefusing()) {
                host = null;
                return false;
            }
            try {
                to.guests().enter(false);
            } catch (RejectedExecutionException e) { // closed just now
                host = null;
                return false;
            }
            try {
                to.crew().scheduleGuest(this);
                return true;
            } catch (Throwable e) { // no memory
                to.guests().leave();
                return false;
            }
        }

        @Override
        public void run() {
            Worker here = Worker.current();
            if (here == null) {
                runOnce();
                return;
            }
            try {
                int before = here.backlog().size();
                if (runOnce()) {
                    boolean woke = here.backlog().size() > before + 1; // it has queued itself, too
                    barren = woke ? 0 : barren + 1;
                    if (barren >= BARREN_TURNS) {
                        barren = 0;
                        host = null;
                    }
                }
            } finally {
                here.scheduler().guests().leave();
            }
        }

        /** Runs it on a spare carrier of a runtime at whose workers it was queued. */
        void runAsGuestOf(Scheduler runtime) {
            try {
                boolean _ = runOnce();
            } finally {
                runtime.guests().leave();
            }
        }

        private boolean runOnce() {
            if (!due.compareAndSet(true, false)) {
                return false;
            }
            continuation.run();
            if (!thread.isAlive()) {
                pollers.remove(thread);
            }
            return true;
        }

        void follow(Scheduler runtime) {
            if (host != runtime && !runtime.guests().isRefusing() && System.nanoTime() - awayUntil >= 0) {
                barren = 0;
                host = runtime;
                if (runtime.guests().isRefusing()) { // it may have been told to leave just before
                    host = null;
                }
            }
        }

        private void rescue(Scheduler runtime) {
            if (queuedAt != runtime) {
                return;
            }
            long now = turns;
            if (due.get() && now == seenTurns) {
                awayUntil = System.nanoTime() + AWAY_NANOS;
                host = null;
                queuedAt = null;
                try {
                    jdk.execute(this);
                } catch (Throwable e) { // no memory; the next look tries again
                    queuedAt = runtime;
                }
            }
            seenTurns = now;
        }
    }
}
