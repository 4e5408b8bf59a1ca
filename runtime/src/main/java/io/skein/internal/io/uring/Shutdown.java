package io.skein.internal.io.uring;

/** Ends one direction of a connection, or both: Linux 5.11. */
final class Shutdown extends UringOperation {
    private final int fd;
    private final int how;

    Shutdown(int fd, int how) {
        this.fd = fd;
        this.how = how;
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_SHUTDOWN).fd(fd).buffer(0, how);
    }
}
