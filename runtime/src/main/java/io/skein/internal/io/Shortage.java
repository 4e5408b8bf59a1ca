package io.skein.internal.io;

import io.skein.internal.Suspension;
import io.skein.internal.linux.Errno;
import java.lang.System.Logger.Level;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * What a listener does while the process has no descriptor for the next connection, or the kernel no memory: it says so in
 * the log, waits a moment, and tries again. The connection waits in the kernel meanwhile.
 *
 * <p>The thread that accepts calls it, except {@link #resume}, by which whoever closes the listener ends the moment from
 * anywhere. Nobody tells when a descriptor is free, for any code of the process may close one. So it is tried again after 5
 * ms, and then after twice as long each time, up to 100 ms. Near the limit failures and successes take turns: the log is told
 * again only after a minute without a failure.
 */
public final class Shortage extends Suspension {
    private static final System.Logger LOG = System.getLogger("io.skein");
    private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long QUIET = TimeUnit.MINUTES.toNanos(1);

    private final Object listener;
    private final BooleanSupplier closed;
    private long moment = SHORTEST;
    private boolean told;
    private long lastFailure;

    /** For a listener that was opened; {@code closed} tells whether it still is. */
    public Shortage(Object listener, BooleanSupplier closed) {
        this.listener = listener;
        this.closed = closed;
    }

    /** Whether an accept failed for want of descriptors or memory. */
    public static boolean isOne(int result) {
        return Errno.EMFILE.is(result)
                || Errno.ENFILE.is(result)
                || Errno.ENOBUFS.is(result)
                || Errno.ENOMEM.is(result);
    }

    /**
     * Lets a moment pass, unless the listener is closed, time is up or the caller is interrupted.
     *
     * @param why what there is too little of
     * @param deadline when the accept is to end, or {@link Deadline#NONE}
     * @return whether it is worth to try again
     */
    public boolean waitAMoment(String why, long deadline) {
        long now = System.nanoTime();
        told &= now - lastFailure <= QUIET;
        lastFailure = now;
        if (!told) {
            told = tell(why);
        }
        begin();
        VarHandle.fullFence(); // waiting before the look: who closes publishes that, and then resumes
        if (closed.getAsBoolean() || Deadline.isPassed(deadline)) {
            abandon();
            return false;
        }
        long end = now + moment;
        awaitUntil(deadline != Deadline.NONE && deadline - end < 0 ? deadline : end);
        moment = Math.min(2 * moment, LONGEST);
        return !closed.getAsBoolean();
    }

    /** Says so, if the log can: it may need a descriptor itself. */
    private boolean tell(String why) {
        try {
            LOG.log(Level.WARNING, "accept " + listener + ": " + why + "; it goes on when there is room again");
            return true;
        } catch (RuntimeException | Error e) { // the listener has to go on
            return false;
        }
    }

    /** A connection was accepted. */
    public void over() {
        moment = SHORTEST;
    }
}
