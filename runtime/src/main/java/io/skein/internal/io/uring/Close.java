package io.skein.internal.io.uring;

import io.skein.internal.io.Lane;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import org.jspecify.annotations.Nullable;

/** Gives a descriptor back, behind whatever its socket has submitted to the ring of its home. */
final class Close extends UringOperation {
    private final int fd;
    private final @Nullable Lane home;
    private final Runnable before;

    private Close(int fd, @Nullable Lane home, Runnable before) {
        this.fd = fd;
        this.home = home;
        this.before = before;
    }

    /** Whether the kernel has done it. */
    private boolean done;

    /** Closes through the ring where the caller has one, else by a plain system call. If it fails, the descriptor is open. */
    static void close(Submitter submitter, int fd) {
        close(submitter, fd, null, () -> {});
    }

    /** Closes a descriptor that nobody else knows, when something has failed: if need be, by a plain system call. */
    static void closeUnused(Submitter submitter, int fd) {
        try {
            close(submitter, fd);
        } catch (Throwable e) { // no memory
            Libc.close(fd);
        }
    }

    /**
     * Closes the descriptor of a socket that may have something armed. If it fails, for want of memory, the descriptor is open.
     *
     * @param home the way to the driver that has it, or null when there was none
     * @param before stops what is armed; it runs on the driver's thread, or not at all when the caller has no ring
     */
    static void close(Submitter submitter, int fd, @Nullable Lane home, Runnable before) {
        if (submitter.serves()) {
            new Close(fd, home, before).closeOn(submitter);
        } else { // the runtime stops, or has stopped
            if (home != null) {
                Libc.shutdownTersely(
                        fd, Libc.SHUT_RDWR); // what may still be armed holds the socket open, and ends by this
            }
            Libc.close(fd);
        }
    }

    private void closeOn(Submitter submitter) {
        try {
            performUninterruptibly(submitter);
        } catch (Throwable e) { // the wait may have failed, and not what it was for
            if (!done) {
                throw e;
            }
        }
        if (!done) {
            throw new OutOfMemoryError("no memory to close a descriptor");
        }
    }

    @Override
    public void completed(UringDriver driver, int result, int flags, boolean isLast) {
        done = !Errno.ENOMEM.is(result) && !Errno.ECANCELED.is(result); // with any other the descriptor is gone
        super.completed(driver, result, flags, isLast);
    }

    @Override
    protected Lane chooseLane(Submitter submitter) {
        return home != null ? home : submitter.lane();
    }

    @Override
    void begin(UringDriver driver) {
        before.run();
        driver.submit(this);
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_CLOSE).fd(fd);
    }
}
