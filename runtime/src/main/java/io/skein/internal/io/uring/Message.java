package io.skein.internal.io.uring;

import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import io.skein.internal.linux.SocketAddresses;
import java.net.InetSocketAddress;

/** Receives or sends one datagram with its address, as the opcode says. */
final class Message extends UringOperation {
    /** {@code struct msghdr}, behind it one buffer's entry and the address. */
    private static final int NAME = 0;

    private static final int NAME_LENGTH = 8;
    private static final int VECTOR = 16;
    private static final int VECTOR_LENGTH = 24;
    private static final int ENTRY = 56;
    private static final int ADDRESS = 72;

    private final int fd;
    private final byte opcode;
    private final long header = Libc.allocate(ADDRESS + SocketAddresses.SIZE);

    Message(int fd, byte opcode) {
        this.fd = fd;
        this.opcode = opcode;
        Memory.plainLong(header + NAME, header + ADDRESS);
        Memory.plainLong(header + VECTOR, header + ENTRY);
        Memory.plainLong(header + VECTOR_LENGTH, 1);
    }

    /** The count of bytes received, or a negated error number; the sender is the {@link #peer} then. */
    int receive(Submitter submitter, long target, int room) {
        Memory.plainInt(header + NAME_LENGTH, SocketAddresses.SIZE);
        return perform(submitter, target, room);
    }

    /** The count of bytes sent, or a negated error number. */
    int send(Submitter submitter, long source, int length, InetSocketAddress target) {
        Memory.plainInt(header + NAME_LENGTH, SocketAddresses.encode(target, header + ADDRESS));
        return perform(submitter, source, length);
    }

    private int perform(Submitter submitter, long buffer, int length) {
        Memory.plainLong(header + ENTRY, buffer);
        Memory.plainLong(header + ENTRY + Long.BYTES, length);
        return perform(submitter);
    }

    InetSocketAddress peer() {
        return SocketAddresses.decode(header + ADDRESS);
    }

    @Override
    void fill(Sqe sqe) {
        sqe.opcode(opcode).fd(fd).buffer(header, 1).operationFlags(Libc.MSG_NOSIGNAL);
    }

    /** Gives the memory back; the operation is not in flight and not used again. */
    void free() {
        Libc.free(header);
    }
}
