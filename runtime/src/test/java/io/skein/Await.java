package io.skein;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.awaitility.core.ConditionTimeoutException;

/** Waits for a condition, never for a length of time. From any thread. */
public final class Await {
    private static final Duration BOUND = Duration.ofSeconds(30);

    private Await() {}

    /** Returns once {@code condition} holds; fails, naming {@code what}, if that takes too long. */
    public static void until(String what, Callable<Boolean> condition) {
        await(what)
                .dontCatchUncaughtExceptions()
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(BOUND)
                .until(condition);
    }

    /** Returns once the coroutine waits for something: in a lock, a park or an I/O call. */
    public static void untilWaiting(Coroutine<?> coroutine) {
        untilWaiting(coroutine.thread());
    }

    /** Returns once the thread waits for something: in a lock, a park or an I/O call. */
    public static void untilWaiting(Thread thread) {
        until(thread.getName() + " waits", () -> isWaiting(thread));
    }

    /** Returns once the thread is inside a method of this name; fails if it has ended. */
    public static void untilInside(String method, Thread thread) {
        until(thread.getName() + " is in " + method, () -> {
            if (!thread.isAlive()) {
                throw new AssertionError(thread + " has ended and was not seen in " + method);
            }
            return Arrays.stream(thread.getStackTrace())
                    .anyMatch(frame -> frame.getMethodName().equals(method));
        });
    }

    /** Returns once the thread has ended; otherwise fails with the place where it hangs. */
    public static void untilEnded(String what, Thread thread) {
        until(what + " ends", () -> !thread.isAlive(), thread);
    }

    /** As {@link #until(String, Callable)}; a failure shows where {@code suspect} is at that time. */
    public static void until(String what, Callable<Boolean> condition, Thread suspect) {
        try {
            until(what, condition);
        } catch (ConditionTimeoutException e) {
            AssertionError hanging =
                    new AssertionError("not within " + BOUND + ": " + what + "; " + suspect + " is here", e);
            hanging.setStackTrace(suspect.getStackTrace());
            throw hanging;
        }
    }

    private static boolean isWaiting(Thread thread) {
        return switch (thread.getState()) {
            case WAITING, TIMED_WAITING, BLOCKED -> true;
            case NEW, RUNNABLE, TERMINATED -> false;
        };
    }
}
