package io.skein.internal.io.uring;

import io.skein.internal.linux.Libc;
import io.skein.internal.linux.SocketAddresses;
import java.net.SocketAddress;

/** Connects a socket to an address. */
final class Connect extends UringOperation {
    private final int fd;
    private final long address = Libc.allocate(SocketAddresses.SIZE);
    private final int length;

    Connect(int fd, SocketAddress target) {
        this.fd = fd;
        try {
            this.length = SocketAddresses.encode(target, address);
        } catch (Throwable e) { // no memory
            Libc.free(address);
            throw e;
        }
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_CONNECT).fd(fd).buffer(address, 0).offset(length);
    }

    /** Gives the address buffer back; the operation is not in flight and not used again. */
    void free() {
        forgetDeadline();
        Libc.free(address);
    }
}
