package io.skein.internal.io.uring;

import io.skein.internal.linux.Libc;

/**
 * Sends bytes from where they are, without a copy: Linux 6.0.
 *
 * <p>The kernel answers twice: first with the count, and when the network no longer needs the bytes with a notification.
 * The run ends with the second, for only then may the buffer be written again. A send that failed at once has no second answer.
 */
final class SendZeroCopy extends UringOperation {
    private final int fd;
    private long address;
    private int length;

    /** What the first answer said. Of the driver's thread. */
    private int sent;

    SendZeroCopy(int fd) {
        this.fd = fd;
    }

    /** What the next run sends. */
    SendZeroCopy prepare(long source, int count) {
        address = source;
        length = count;
        return this;
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_SEND_ZC)
                .fd(fd)
                .buffer(address, length)
                .operationFlags(Libc.MSG_NOSIGNAL | Libc.MSG_WAITALL);
    }

    @Override
    public void completed(UringDriver driver, int result, int flags, boolean isLast) {
        if ((flags & Abi.IORING_CQE_F_NOTIF) == 0) {
            sent = result;
        }
        if (isLast) {
            complete(sent, flags);
        }
    }
}
