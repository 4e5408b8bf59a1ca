package io.skein.internal.io.uring;

/**
 * Waits until a descriptor is ready. Its result is what it is ready for, in the bits of {@code poll(2)}.
 *
 * <p>For what rings have no operation of its own; where they have, that is cheaper.
 */
final class Poll extends UringOperation {
    static final int IN = 1;
    static final int OUT = 4;

    private final int fd;
    private final int events;

    Poll(int fd, int events) {
        this.fd = fd;
        this.events = events;
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_POLL_ADD).fd(fd).operationFlags(events);
    }
}
