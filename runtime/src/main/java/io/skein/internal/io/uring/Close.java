package io.skein.internal.io.uring;

import io.skein.internal.io.Lane;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Libc;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Gives a descriptor back, and ends what its stream kept armed. */
final class Close extends UringOperation {
    /** How long a caller without a ring waits before it looks again. */
    private static final long MOMENT_NANOS = 50_000;

    private final int fd;
    private final @Nullable Lane home;
    private final @Nullable Inflow inflow;
    private final @Nullable Outflow outflow;

    private Close(int fd, @Nullable Lane home, @Nullable Inflow inflow, @Nullable Outflow outflow) {
        this.fd = fd;
        this.home = home;
        this.inflow = inflow;
        this.outflow = outflow;
    }

    /** Closes through the ring where the caller has one, else by a plain system call. */
    static void close(Submitter submitter, int fd) {
        if (submitter.serves()) {
            new Close(fd, null, null, null).performUninterruptibly(submitter);
        } else {
            Libc.close(fd);
        }
    }

    /**
     * Closes a stream's descriptor. What it has written goes out first: its last send is in front of this one's entry in the same ring, and
     * holds the socket open for as long as it takes.
     *
     * @param home the way to the driver that has inflow and outflow, or null when there was neither
     */
    static void close(Submitter submitter, int fd, @Nullable Lane home, Inflow inflow, Outflow outflow) {
        if (home == null) {
            close(submitter, fd);
        } else if (submitter.serves()) {
            new Close(fd, home, inflow, outflow).performUninterruptibly(submitter);
            if (outflow.isInFlight()) {
                outflow.limit(home);
            }
        } else { // the runtime stops, or has stopped
            Libc.shutdown(fd, Libc.SHUT_RDWR); // what may still be armed holds the socket open, and ends by this
            while (outflow.isInFlight()) { // its entry may not have been read, and names the descriptor
                LockSupport.parkNanos(MOMENT_NANOS);
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
        if (inflow != null) {
            inflow.close();
        }
        if (outflow != null) {
            outflow.close();
        }
        driver.submit(this);
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_CLOSE).fd(fd);
    }
}
