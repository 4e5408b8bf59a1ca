package io.skein.internal.io.uring;

import io.skein.internal.io.Operation;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;

/**
 * An operation that goes through a ring. A subclass is one kind of it: it fills the entry, and its caller reads the
 * result.
 *
 * <p>The waiter sets a subclass's fields before it starts the operation; from then until the end they are the
 * driver's to read.
 */
abstract class UringOperation extends Operation implements Request {
    private long userData;

    @Override
    public final long userData() {
        return userData;
    }

    @Override
    public final void userData(long given) {
        userData = given;
    }

    /**
     * As {@link #perform}, for what the kernel may do on threads of its own. It cancels there by a signal: so an operation
     * that was broken off by one is over for whoever is interrupted, and begins anew for everybody else.
     */
    final int performThrough(Submitter submitter) {
        int result = perform(submitter);
        while (Errno.isBrokenOff(result)) {
            result = perform(submitter); // which says that it was cancelled, if so
        }
        return result;
    }

    /** Starts the operation. Called on the driver's thread. */
    void begin(UringDriver driver) {
        driver.submit(this);
    }

    /** Asks for its end. Called on the driver's thread. */
    void cancel(UringDriver driver) {
        driver.submitCancel(this);
    }

    @Override
    public void completed(UringDriver driver, int result, int flags, boolean isLast) {
        if (isLast) {
            complete(result, flags);
        }
    }

    /** Whether the kernel has it. Called on the driver's thread. */
    final boolean isInFlightOn(UringDriver driver) {
        return driver.has(this);
    }
}
