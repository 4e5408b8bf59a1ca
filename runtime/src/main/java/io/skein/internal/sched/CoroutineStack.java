package io.skein.internal.sched;

import io.skein.internal.loom.Loom;
import io.skein.internal.loom.Unparking;
import java.io.Serial;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Where a coroutine was when somebody gave up waiting for it: its stack trace is the coroutine's, and it is suppressed in the
 * exception of the one who gave up. Never thrown.
 */
final class CoroutineStack extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    /** How long to wait for the stack of a coroutine that is running. */
    private static final Duration BOUND = Duration.ofMillis(100);

    private static final StackTraceElement[] UNKNOWN = {};

    private CoroutineStack(String message, StackTraceElement[] frames) {
        super(message, null, false, true);
        setStackTrace(frames);
    }

    /** Adds the stack to an exception. Where it cannot be had, for lack of memory perhaps, the exception stays as it is. */
    static void addTo(Throwable exception, SpawnedCoroutine<?> coroutine) {
        try {
            Thread thread = coroutine.thread();
            String doing = thread.getState() == Thread.State.RUNNABLE ? "running" : "waiting";
            StackTraceElement[] frames = framesOf(thread);
            if (frames.length > 0) { // neither before its first step nor after its last
                exception.addSuppressed(new CoroutineStack(coroutine.name() + " was " + doing + " here", frames));
            }
        } catch (Throwable e) {
            // The exception that somebody waits for matters more.
        }
    }

    /**
     * Where a coroutine's thread is, or one that was started in it; nothing if that cannot be had.
     *
     * <p>The JDK has no stack of a thread whose innermost continuation is a generator's, and tries again until it has
     * one. So a thread that is mounted, and may be running a generator's body for long, is asked by a thread that need
     * not be waited for.
     */
    static StackTraceElement[] framesOf(Thread thread) {
        if (!Loom.available() || Loom.carrierOf(thread) == null) {
            return Unparking.stackOf(thread);
        }
        AtomicReference<StackTraceElement @Nullable []> frames = new AtomicReference<>();
        Thread asking = Thread.ofPlatform()
                .name("skein-stack-of-" + thread.threadId())
                .daemon()
                .unstarted(() -> frames.set(Unparking.stackOf(thread)));
        asking.start();
        try {
            asking.join(BOUND);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        StackTraceElement[] found = frames.get();
        return found == null ? UNKNOWN : found;
    }
}
