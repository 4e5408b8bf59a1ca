package io.skein.internal.io.uring;

import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Libc;

/** Sends bytes on a connected socket: all of them where the kernel retries short sends itself, else some. */
final class Send extends UringOperation {
    static final int FLAGS = Libc.MSG_NOSIGNAL | (KernelFeature.WHOLE_SENDS.isWanted() ? Libc.MSG_WAITALL : 0);

    private final int fd;
    private long address;
    private int length;

    Send(int fd) {
        this.fd = fd;
    }

    /** The count of bytes sent, or a negated error number. */
    int perform(Submitter submitter, long deadline, long source, int count) {
        address = source;
        length = count;
        return perform(submitter, deadline);
    }

    @Override
    void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_SEND).fd(fd).buffer(address, length).operationFlags(FLAGS);
    }
}
