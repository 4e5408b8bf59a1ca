package io.skein.internal.io.uring;

import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import io.skein.internal.linux.SocketAddresses;
import java.net.SocketAddress;

/** Accepts one connection: its result is the descriptor, and {@link #peer} the address it came from. */
final class Accept extends UringOperation {
    private final int fd;
    private final long peer = Libc.allocate(SocketAddresses.SIZE + Integer.BYTES);
    private final long peerLength = peer + SocketAddresses.SIZE;

    Accept(int fd) {
        this.fd = fd;
    }

    @Override
    public void fill(Sqe sqe) {
        Memory.plainInt(peerLength, SocketAddresses.SIZE);
        sqe.opcode(Abi.IORING_OP_ACCEPT)
                .fd(fd)
                .buffer(peer, 0)
                .offset(peerLength)
                .operationFlags(Libc.SOCK_CLOEXEC);
    }

    SocketAddress peer() {
        return SocketAddresses.decode(peer, Memory.plainInt(peerLength));
    }

    /** Gives the address buffer back; the operation is not in flight and not used again. */
    void free() {
        forgetDeadline();
        Libc.free(peer);
    }
}
