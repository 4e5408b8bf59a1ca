package io.skein.internal.io.uring;

import io.skein.internal.io.Lane;
import io.skein.internal.io.Submitter;

/** Ends all operations that one driver has in flight on a descriptor. Before Linux 5.19 it fails, and they go on. */
final class CancelDescriptor extends UringOperation {
    private final int fd;
    private final Lane lane;

    CancelDescriptor(int fd, Lane lane) {
        this.fd = fd;
        this.lane = lane;
    }

    @Override
    protected Lane chooseLane(Submitter submitter) {
        return lane;
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_ASYNC_CANCEL)
                .fd(fd)
                .operationFlags(Abi.IORING_ASYNC_CANCEL_FD | Abi.IORING_ASYNC_CANCEL_ALL);
    }
}
