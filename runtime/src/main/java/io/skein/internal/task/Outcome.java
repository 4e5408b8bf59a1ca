package io.skein.internal.task;

import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * How a task or a coroutine ended, in full. Immutable.
 *
 * @param state how it ended; never {@code RUNNING}
 * @param value the value of a success
 * @param failure what the body threw, otherwise
 */
public record Outcome(
        Future.State state,
        @Nullable Object value,
        @Nullable Throwable failure) {
    /** So far down a failure's causes are looked at: they may be a circle. */
    private static final int CAUSES = 100;

    private static final Outcome NULL_VALUE = new Outcome(Future.State.SUCCESS, null, null);

    /** For bodies that failed, or were cancelled, when there was no memory even for the outcome. */
    private static final Outcome FAILURE_WITHOUT_MEMORY;

    private static final Outcome CANCELLED_WITHOUT_MEMORY;

    static {
        OutOfMemoryError failure = new OutOfMemoryError("no memory was left to keep what the body threw");
        failure.setStackTrace(new StackTraceElement[0]); // it would tell of this class, and not of the body
        FAILURE_WITHOUT_MEMORY = new Outcome(Future.State.FAILED, null, failure);
        CANCELLED_WITHOUT_MEMORY = new Outcome(Future.State.CANCELLED, null, failure);
    }

    public static Outcome value(@Nullable Object value) {
        return value == null ? NULL_VALUE : new Outcome(Future.State.SUCCESS, value, null);
    }

    /** The outcome of what has failed. Without memory for it, that of what found no memory. */
    public static Outcome failure(Throwable failure) {
        try {
            return new Outcome(Future.State.FAILED, null, failure);
        } catch (OutOfMemoryError e) {
            return FAILURE_WITHOUT_MEMORY;
        }
    }

    public static Outcome cancelled(Throwable cause) {
        try {
            return new Outcome(Future.State.CANCELLED, null, cause);
        } catch (OutOfMemoryError e) {
            return CANCELLED_WITHOUT_MEMORY;
        }
    }

    /** What a failure that was passed on through several waits began with: else each message would repeat the one before. */
    static @Nullable Throwable origin(@Nullable Throwable failure) {
        Throwable origin = failure;
        while (origin instanceof CompletionException && origin.getCause() != null && origin.getCause() != origin) {
            origin = origin.getCause();
        }
        return origin;
    }

    /**
     * Whether a failure that came after an interrupt counts as its doing. Every exception does: libraries turn
     * interrupts into exceptions of their own and need not keep the cause, as {@link java.net.Socket} throws a bare
     * {@code SocketException}. An error does only if it tells of an interrupt, because a full heap or a broken
     * assertion is not to be hidden.
     */
    public static boolean mayComeOfInterrupt(Throwable failure) {
        return !(failure instanceof Error) || isInterruption(failure);
    }

    /**
     * What a cancelled body threw, if that does not tell of an interrupt: who hears of the end wants to see it. Else
     * null.
     */
    public @Nullable Throwable disguise() {
        return state == Future.State.CANCELLED && failure != null && !isInterruption(failure) ? failure : null;
    }

    /** Whether a failure is an exception that was thrown before, or has it as a cause. */
    public static boolean isDueTo(Throwable failure, Throwable thrown) {
        Throwable cause = failure;
        try {
            for (int i = 0; i < CAUSES && cause != null; i++) {
                if (cause == thrown) {
                    return true;
                }
                cause = cause.getCause();
            }
        } catch (RuntimeException e) {
            return false; // as below
        }
        return false;
    }

    /** Whether a failure tells of an interrupt, directly or as the cause of what was thrown. */
    public static boolean isInterruption(Throwable failure) {
        Throwable cause = failure;
        try {
            for (int i = 0; i < CAUSES && cause != null; i++) {
                if (tellsOfInterrupt(cause)) {
                    return true;
                }
                cause = cause.getCause();
            }
        } catch (RuntimeException e) {
            return false; // getCause is the user's code where it is overridden
        }
        return false;
    }

    private static boolean tellsOfInterrupt(Throwable failure) {
        return failure instanceof InterruptedException
                || failure instanceof CancellationException
                || failure instanceof ClosedByInterruptException
                || (failure instanceof InterruptedIOException && !(failure instanceof SocketTimeoutException));
    }
}
