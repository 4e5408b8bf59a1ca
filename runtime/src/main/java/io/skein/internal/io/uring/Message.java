package io.skein.internal.io.uring;

import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import io.skein.internal.linux.SocketAddresses;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Receives or sends one datagram with its address, as the opcode says. */
class Message extends UringOperation {
    /** {@code struct msghdr}, behind it one buffer's entry and the address. */
    private static final int NAME = 0;

    private static final int NAME_LENGTH = 8;
    private static final int VECTOR = 16;
    private static final int VECTOR_LENGTH = 24;
    private static final int ENTRY = 56;
    private static final int ADDRESS = 72;

    private final int fd;
    private final boolean ipv6;
    private final byte opcode;
    private final int flags;
    private final long header = Libc.allocate(ADDRESS + SocketAddresses.SIZE);

    private Message(int fd, boolean ipv6, byte opcode, int flags) {
        this.fd = fd;
        this.ipv6 = ipv6;
        this.opcode = opcode;
        this.flags = flags;
        Memory.plainLong(header + VECTOR, header + ENTRY);
        Memory.plainLong(header + VECTOR_LENGTH, 1);
    }

    Message(int fd, boolean ipv6, Direction direction) {
        this(fd, ipv6, direction.opcode, direction.flags);
    }

    /** What becomes of the datagram. */
    enum Direction {
        /** The result is the length that was sent, whatever there is room for. */
        INCOMING(Abi.IORING_OP_RECVMSG, Libc.MSG_TRUNC),
        /** As the above, but fails with {@code EAGAIN} where it would have to wait. */
        INCOMING_NOW(Abi.IORING_OP_RECVMSG, Libc.MSG_TRUNC | Libc.MSG_DONTWAIT),
        OUTGOING(Abi.IORING_OP_SENDMSG, Libc.MSG_NOSIGNAL);

        private final byte opcode;
        private final int flags;

        Direction(byte opcode, int flags) {
            this.opcode = opcode;
            this.flags = flags;
        }
    }

    /** Says where to receive to. */
    final void prepareReceive(long target, int room) {
        Memory.plainLong(header + NAME, header + ADDRESS);
        Memory.plainInt(header + NAME_LENGTH, SocketAddresses.SIZE);
        prepare(target, room);
    }

    /** Says what to send; to null is to where the socket is connected. */
    final void prepareSend(long source, int length, @Nullable InetSocketAddress target) {
        Memory.plainLong(header + NAME, target == null ? 0 : header + ADDRESS);
        Memory.plainInt(header + NAME_LENGTH, target == null ? 0 : encode(target));
        prepare(source, length);
    }

    private int encode(InetSocketAddress target) {
        return ipv6
                ? SocketAddresses.encodeForIpv6(target, header + ADDRESS)
                : SocketAddresses.encode(target, header + ADDRESS);
    }

    private void prepare(long buffer, int length) {
        Memory.plainLong(header + ENTRY, buffer);
        Memory.plainLong(header + ENTRY + Long.BYTES, length);
    }

    /** The count of bytes received, or a negated error number; the sender is the {@link #peer} then. */
    final int receive(Submitter submitter, long deadline, long target, int room) {
        prepareReceive(target, room);
        return perform(submitter, deadline);
    }

    /** The count of bytes sent, or a negated error number. */
    final int send(Submitter submitter, long deadline, long source, int length, @Nullable InetSocketAddress target) {
        prepareSend(source, length, target);
        return perform(submitter, deadline);
    }

    final InetSocketAddress peer() {
        return SocketAddresses.decode(header + ADDRESS);
    }

    @Override
    public final void fill(Sqe sqe) {
        sqe.opcode(opcode).fd(fd).buffer(header, 1).operationFlags(flags);
    }

    /** Gives the memory back; the operation is not in flight and not used again. */
    final void free() {
        forgetDeadline();
        Libc.free(header);
    }
}
