package io.skein.internal.io.nio;

import io.skein.internal.io.Deadline;
import io.skein.internal.io.Gate;
import io.skein.internal.io.PacketSocket;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;

/** A channel for datagrams. Thread safety is the {@link Gate}'s. */
final class NioPackets extends Gate implements PacketSocket {
    /** No datagram is longer. */
    private static final int LONGEST = 64 * 1024;

    private final NioBackend backend;
    private final Submitter submitter;
    private final DatagramChannel channel;
    private final InetSocketAddress localAddress;
    private final Exchange receiving;
    private final Exchange sending;

    /** Receives or sends one datagram: whichever the readiness says. */
    private final class Exchange extends NioOperation {
        private @Nullable ByteBuffer buffer;
        private @Nullable SocketAddress peer;

        Exchange(int interest) {
            super(channel, interest);
        }

        int perform(ByteBuffer bytes, @Nullable InetSocketAddress target) {
            buffer = bytes;
            peer = target;
            try {
                return perform(submitter);
            } finally {
                buffer = null;
            }
        }

        @Override
        int attempt() throws IOException {
            ByteBuffer bytes = buffer;
            if (bytes == null) {
                throw new IllegalStateException("nobody receives or sends");
            }
            if (interest() == SelectionKey.OP_READ) {
                peer = channel.receive(bytes);
                return peer == null ? NOT_READY : 0;
            }
            boolean empty = !bytes.hasRemaining();
            return channel.send(bytes, peer) == 0 && !empty ? NOT_READY : 0;
        }

        @Override
        boolean abandoned() {
            return isClosed();
        }
    }

    NioPackets(NioBackend backend, Submitter submitter, DatagramChannel channel) throws IOException {
        super(backend.openSockets());
        this.backend = backend;
        this.submitter = submitter;
        this.channel = channel;
        this.localAddress = (InetSocketAddress) channel.getLocalAddress();
        this.receiving = new Exchange(SelectionKey.OP_READ);
        this.sending = new Exchange(SelectionKey.OP_WRITE);
        opened();
    }

    @Override
    public InetSocketAddress receive(ByteBuffer target) throws IOException {
        enterRead("receive", this);
        try {
            int result = receiving.perform(target, null);
            if (receiving.mayNotUse(result)) {
                ByteBuffer copy = ByteBuffer.allocate(Math.min(target.remaining(), LONGEST));
                result = receiving.perform(copy, null);
                target.put(copy.flip());
            }
            if (result >= 0 && receiving.peer instanceof InetSocketAddress sender) {
                return sender;
            }
            throw isClosed() ? closedDuring("receive") : receiving.exception("receive", this, result, Deadline.NONE);
        } finally {
            leaveRead();
        }
    }

    @Override
    public void send(ByteBuffer source, InetSocketAddress target) throws IOException {
        enterWrite("send", this);
        try {
            int result = sending.perform(source, target);
            if (sending.mayNotUse(result)) {
                ByteBuffer copy = ByteBuffer.allocate(source.remaining());
                result = sending.perform(copy.put(source.duplicate()).flip(), target);
                source.position(result < 0 ? source.position() : source.limit());
            }
            if (result < 0) {
                throw isClosed()
                        ? closedDuring("send")
                        : sending.exception("send", SocketAddresses.text(target), result, Deadline.NONE);
            }
        } finally {
            leaveWrite();
        }
    }

    @Override
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    @Override
    protected void evict() {
        receiving.cancelFromOutside();
        sending.cancelFromOutside();
    }

    @Override
    protected void release() {
        backend.close(submitter, channel);
    }

    private SocketException closedDuring(String operation) {
        return new SocketException(operation + " " + this + ": closed by another thread");
    }

    @Override
    public String toString() {
        return SocketAddresses.text(localAddress);
    }
}
