package io.skein.internal.io.uring;

import io.skein.internal.io.Lane;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Libc;
import org.jspecify.annotations.Nullable;

/** Gives a descriptor back, and ends what its stream kept armed. */
final class Close extends UringOperation {
    private final int fd;
    private final @Nullable Inflow inflow;
    private final @Nullable Lane home;

    private Close(int fd, @Nullable Inflow inflow, @Nullable Lane home) {
        this.fd = fd;
        this.inflow = inflow;
        this.home = home;
    }

    /** Closes through the ring where the caller has one, else by a plain system call. */
    static void close(Submitter submitter, int fd) {
        close(submitter, fd, null, null);
    }

    /**
     * Closes a stream's descriptor.
     *
     * @param inflow what the stream kept armed, or null
     * @param home the way to the driver that has it, or null when it was never armed
     */
    static void close(Submitter submitter, int fd, @Nullable Inflow inflow, @Nullable Lane home) {
        if (submitter.serves()) {
            new Close(fd, inflow, home).performUninterruptibly(submitter);
        } else {
            if (home != null) {
                Libc.shutdown(fd, Libc.SHUT_RDWR); // what may still be armed holds the socket open, and ends by this
            }
            Libc.close(fd);
        }
    }

    @Override
    protected Lane chooseLane(Submitter submitter) {
        return home != null ? home : submitter.lane();
    }

    @Override
    void begin(UringDriver driver) {
        if (inflow != null && home != null) {
            inflow.close();
        }
        driver.submit(this);
    }

    @Override
    void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_CLOSE).fd(fd);
    }
}
