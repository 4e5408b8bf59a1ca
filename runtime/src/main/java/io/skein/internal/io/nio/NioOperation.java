package io.skein.internal.io.nio;

import io.skein.internal.io.Deadline;
import io.skein.internal.io.Operation;
import io.skein.internal.linux.Errno;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;

/**
 * A non-blocking call on a channel that is tried until it succeeds or fails.
 *
 * <p>Who owns what is as for every {@link Operation}: between start and end the driver's thread owns the fields.
 */
abstract class NioOperation extends Operation {
    /** What {@link #attempt} returns when the channel is not ready. */
    static final int NOT_READY = Integer.MIN_VALUE;

    private final SelectableChannel channel;

    /** The readiness that the call needs: one of the bits of {@link SelectionKey}. */
    private final int interest;

    private @Nullable Throwable failure;

    /**
     * The driver that still has to bring it to an end, or null. A driver sets itself, and takes only itself away; another may
     * look at it, late, when the next run is elsewhere already, and finds that it is not the one.
     */
    private @Nullable NioDriver holder;

    NioOperation(SelectableChannel channel, int interest) {
        this.channel = channel;
        this.interest = interest;
    }

    SelectableChannel channel() {
        return channel;
    }

    int interest() {
        return interest;
    }

    /** Makes the non-blocking call: its result, or {@link #NOT_READY}. */
    abstract int attempt() throws IOException;

    /** Whether the socket is being closed, so that the operation is to end without a further attempt. */
    abstract boolean abandoned();

    /** Tries; returns whether that brought the operation to its end. */
    final boolean tryToEnd(NioDriver here) {
        int result;
        holder = here;
        VarHandle.fullFence(); // in flight before the look at abandoned; pairs with cancelFromOutside
        try {
            failure = null;
            result = abandoned() ? -Errno.ECANCELED.number() : attempt();
        } catch (Throwable e) { // whatever it is, it is the waiter's: the driver's thread must go on
            failure = e;
            result = -Errno.EIO.number();
        }
        if (result == NOT_READY) {
            return false;
        }
        end(result);
        return true;
    }

    /** Whether that driver still has to bring it to an end. Called on its thread. */
    final boolean isPendingIn(NioDriver here) {
        return holder == here;
    }

    final void fail(Throwable thrown) {
        failure = thrown;
        end(-Errno.EIO.number());
    }

    final void end(int result) {
        holder = null;
        complete(result, 0);
    }

    /** Whether the run failed because a buffer's memory is the waiter's alone: nothing was done then. */
    final boolean mayNotUse(int result) {
        return result < 0 && failure instanceof WrongThreadException;
    }

    /** Whether the run failed because the process or the system has no descriptor left. */
    final boolean isShortage(int result) {
        return result < 0
                && failure instanceof IOException e
                && e.getMessage() != null
                && e.getMessage().startsWith("Too many open files");
    }

    /** The exception for a run that ended with a negative result. */
    final IOException exception(String operation, Object subject, int result, long timeoutNanos) {
        Throwable thrown = failure;
        failure = null;
        if (Errno.ETIME.is(result)) {
            return Deadline.exception(operation, subject, timeoutNanos);
        }
        return switch (thrown) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case IOException e when !Errno.ECANCELED.is(result) -> NioFailures.exception(operation, subject, e);
            case null, default -> Errno.exception(operation, subject, -result);
        };
    }
}
