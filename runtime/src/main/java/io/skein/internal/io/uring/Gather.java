package io.skein.internal.io.uring;

import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Memory;
import java.nio.ByteBuffer;

/** Sends the bytes of several buffers on a connected socket: as many as fit into one call. */
final class Gather extends UringOperation {
    /** {@code struct msghdr}, in front of the buffers' entries. */
    private static final int VECTOR = 16;

    private static final int VECTOR_LENGTH = 24;
    private static final int HEADER_SIZE = 64;

    private final int fd;
    private final int flags;
    private long header;

    Gather(int fd, int flags) {
        this.fd = fd;
        this.flags = flags;
    }

    /**
     * Sends, and moves the buffers' positions by what was sent.
     *
     * @return the count of bytes sent, or a negated error number
     */
    int perform(Submitter submitter, long deadline, ByteBuffer[] sources, NativeBuffers pool) {
        Long memory = pool.take();
        try {
            header = memory;
            Memory.range(header, HEADER_SIZE).fill((byte) 0);
            Iovec vector = new Iovec(header + HEADER_SIZE, NativeBuffers.SIZE - HEADER_SIZE);
            Memory.plainLong(header + VECTOR, header + HEADER_SIZE);
            Memory.plainLong(header + VECTOR_LENGTH, vector.layOut(sources, true));
            int result = perform(submitter, deadline);
            if (result > 0) {
                vector.settle(sources, result, false);
            }
            return result;
        } finally {
            pool.giveBack(memory);
        }
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_SENDMSG).fd(fd).buffer(header, 1).operationFlags(flags);
    }
}
