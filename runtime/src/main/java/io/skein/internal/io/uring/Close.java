package io.skein.internal.io.uring;

import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Libc;

/** Gives a descriptor back. */
final class Close extends UringOperation {
    private final int fd;

    private Close(int fd) {
        this.fd = fd;
    }

    /** Closes through the ring where the caller has one, else by a plain system call. */
    static void close(Submitter submitter, int fd) {
        if (submitter.serves()) {
            new Close(fd).performUninterruptibly(submitter);
        } else {
            Libc.close(fd);
        }
    }

    @Override
    void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_CLOSE).fd(fd);
    }
}
