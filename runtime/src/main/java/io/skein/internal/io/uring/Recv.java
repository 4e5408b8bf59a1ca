package io.skein.internal.io.uring;

import io.skein.internal.io.Submitter;
import java.nio.ByteBuffer;

/** Receives bytes from a connected socket. */
final class Recv extends UringOperation {
    private final int fd;

    /** Whether the kernel knows {@code POLL_FIRST}, and tells when a socket holds more. */
    private final boolean hints;

    private final BufferAddress targetAddress = new BufferAddress();
    private long address;
    private int length;

    /**
     * Whether the socket was empty after the last receive. Then an attempt now would almost surely fail, so the
     * kernel is told to wait for readiness first.
     */
    private boolean drained;

    Recv(int fd, boolean hints) {
        this.fd = fd;
        this.hints = hints;
    }

    long addressOf(ByteBuffer target) {
        return targetAddress.of(target);
    }

    /** The count of bytes, 0 at the end of the stream, or a negated error number. */
    int perform(Submitter submitter, long deadline, long target, int room) {
        address = target;
        length = room;
        int result = perform(submitter, deadline);
        drained = hints && result > 0 && (completionFlags() & Abi.IORING_CQE_F_SOCK_NONEMPTY) == 0;
        return result;
    }

    /** Whether more bytes than the last receive took are there. */
    boolean leftSome() {
        return hints && (completionFlags() & Abi.IORING_CQE_F_SOCK_NONEMPTY) != 0;
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_RECV)
                .fd(fd)
                .buffer(address, length)
                .priority(drained ? Abi.IORING_RECVSEND_POLL_FIRST : 0);
    }
}
