package io.skein.internal.sched;

import io.skein.Coroutine;
import io.skein.internal.io.BoundSocket;
import io.skein.internal.io.LeakDetector;
import io.skein.internal.io.LeakDetector.Leak;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Has sockets closed that nobody refers to any more, and says where they were opened. Any thread may call it.
 *
 * <p>It has no thread of its own: whoever opens or closes a socket looks for them, and so does the watchdog while
 * workers are awake. The rest is done by one task at a time in the blocking pool, because a log may block; a coroutine
 * does the closing, on the socket's driver. What is forgotten while the workers sleep waits until one of them wakes,
 * or until the runtime stops.
 */
public final class LeakGuard implements Runnable {
    private static final System.Logger LOG = System.getLogger("io.skein");

    /** Of one in how many sockets it is kept where they were opened. */
    private static final String PROPERTY = "skein.leaks";

    private static final int MOST_PLACES = 1000;

    private final Scheduler scheduler;
    private final LeakDetector detector = new LeakDetector(Math.max(0, Integer.getInteger(PROPERTY, 0)));

    /** Whether the task is to run or runs. */
    private final AtomicBoolean closing = new AtomicBoolean();

    /** What was said already; an empty text for the line without a place. Of the task. */
    private final Set<String> told = new HashSet<>();

    LeakGuard(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Watches the handle of a socket that has been opened. */
    public void watch(Object handle, BoundSocket socket) {
        detector.watch(handle, socket);
        look();
    }

    /** A call that a coroutine makes for this thread, and that opens a socket: it is known to be opened here. */
    public <T extends @Nullable Object> Callable<T> asked(Callable<T> call) {
        return detector.asked(call);
    }

    /** Looks for sockets to close, and throws nothing. Nearly free when there are none. */
    public void look() {
        boolean claimed = false;
        try {
            claimed = detector.hasFound() && closing.compareAndSet(false, true);
            if (claimed) {
                scheduler.blockingPool().execute(this);
            }
        } catch (Throwable e) {
            // No memory, and the next look may find some; or the runtime stops, and closes what is open.
            if (claimed) {
                closing.set(false);
            }
        }
    }

    @Override
    public void run() {
        try {
            for (Leak leak = detector.next(); leak != null; leak = detector.next()) {
                if (leak.socket().isOpen()) {
                    try {
                        close(leak.socket());
                    } finally {
                        report(leak);
                    }
                }
            }
        } finally {
            closing.set(false);
        }
        look(); // for what came just now
    }

    /** Has a coroutine close it, and does not wait for that: the coroutine's worker may be held by one that waits for this pool. */
    private void close(BoundSocket socket) {
        try {
            Coroutine<?> _ = scheduler.spawn("close a forgotten socket", null, true, () -> {
                socket.close();
                return true;
            });
        } catch (RuntimeException | OutOfMemoryError e) { // the runtime stops, say; then it is for this thread
            socket.close();
        }
    }

    private void report(Leak leak) {
        String place = textOf(leak.place());
        if (told.size() < MOST_PLACES && told.add(place)) {
            LOG.log(
                    Level.WARNING,
                    leak + " was never closed, and nobody refers to it any more. It is closed now"
                            + (place.isEmpty()
                                    ? "; -D" + PROPERTY + "=1 tells where sockets were opened that are forgotten so"
                                    : place));
        }
    }

    /** The stacks, outermost cause last; empty if there is none. */
    private static String textOf(@Nullable Throwable place) {
        StringBuilder text = new StringBuilder();
        for (Throwable each = place; each != null; each = each.getCause()) {
            text.append(each == place ? ". It was " : System.lineSeparator() + "  ")
                    .append(each.getMessage())
                    .append(':');
            for (StackTraceElement frame : each.getStackTrace()) {
                text.append(System.lineSeparator()).append("    at ").append(frame);
            }
        }
        return text.toString();
    }
}
