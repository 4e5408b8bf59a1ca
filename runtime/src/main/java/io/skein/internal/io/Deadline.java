package io.skein.internal.io;

import io.skein.internal.time.Durations;
import io.skein.internal.time.Timers;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Times by which a call is to end. They are numbers, so that a call costs no object. Any thread may call it. */
public final class Deadline {
    /** No deadline, and no timeout. */
    public static final long NONE = 0;

    private Deadline() {}

    /** A timeout as calls take it: {@link #NONE} for null and zero. */
    public static long timeout(@Nullable Duration duration) {
        if (duration != null && duration.isNegative()) {
            throw new IllegalArgumentException("timeout: " + Durations.text(duration) + "; it must not be negative");
        }
        return duration == null ? NONE : Timers.nanos(duration);
    }

    /** The time of {@link System#nanoTime} when a timeout from now has passed. */
    public static long after(long timeoutNanos) {
        if (timeoutNanos == NONE) {
            return NONE;
        }
        long deadline = System.nanoTime() + timeoutNanos;
        return deadline == NONE ? 1 : deadline;
    }

    /** What is left of a deadline's time as a timeout: at least a nanosecond. */
    public static long left(long deadline) {
        return deadline == NONE ? NONE : Math.max(1, deadline - System.nanoTime());
    }

    public static boolean isPassed(long deadline) {
        return deadline != NONE && deadline - System.nanoTime() <= 0;
    }

    /** What a call throws whose time is up. */
    public static SocketTimeoutException exception(String operation, Object subject, long timeoutNanos) {
        return new SocketTimeoutException(
                operation + " " + subject + ": timed out after " + Durations.text(timeoutNanos));
    }
}
