package io.skein.internal.io.uring;

import io.skein.internal.linux.Errno;

/**
 * Asks the kernel to end a request.
 *
 * <p>Only the driver's own thread uses it. The kernel may answer that it knows no such request though it has it: one that it is about to
 * try again, as a connect to a full Unix listener is at first, is on none of its lists meanwhile. So it is asked again, as long as the
 * request is in flight; but not for ever, since a request that waits for nothing but its last completion is not found either.
 */
final class Cancellation implements Request {
    /** The kernel tries such a request 128 times before a thread of its own waits for it. */
    private static final int MOST_TRIES = 256;

    private final Request target;

    /** Which use of the target is meant. */
    private final long named;

    private long userData;
    private int tries;

    Cancellation(Request target) {
        this.target = target;
        this.named = target.userData();
    }

    @Override
    public long userData() {
        return userData;
    }

    @Override
    public void userData(long given) {
        userData = given;
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_ASYNC_CANCEL).fd(-1).buffer(named, 0);
    }

    @Override
    public void completed(UringDriver driver, int result, int flags, boolean isLast) {
        boolean inFlight = target.userData() == named && driver.has(target);
        if (Errno.ENOMEM.is(result) && inFlight) { // the kernel has not seen it
            driver.putOffCancel(target);
        } else if (Errno.ENOENT.is(result) && inFlight && ++tries < MOST_TRIES) {
            driver.submit(this);
        }
    }
}
