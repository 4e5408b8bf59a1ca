package io.skein.internal.io;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A socket for datagrams of some backend.
 *
 * <p>One thread may receive while another sends; {@link #close} may come from anywhere. Callers are coroutines of the
 * socket's runtime. Timeouts are as those of a {@link StreamSocket}.
 */
public interface PacketSocket extends BoundSocket {
    /** Waits for a datagram; what the target has no room for is lost. */
    Arrival receive(ByteBuffer target, long timeoutNanos) throws IOException;

    /** Waits for a datagram and takes all that are there, one into each target, in their order. There is a target. */
    List<Arrival> receiveMany(ByteBuffer[] targets, long timeoutNanos) throws IOException;

    /**
     * Sends all of the source as one datagram.
     *
     * @param target a resolved address; null for the one that the socket is connected to
     */
    void send(ByteBuffer source, @Nullable InetSocketAddress target, long timeoutNanos) throws IOException;

    /** Sends each of the sources as one datagram, in their order. Those before one that fails are sent. */
    void sendAll(ByteBuffer[] sources, @Nullable InetSocketAddress[] targets, long timeoutNanos) throws IOException;

    /** As the other, without a timeout; returns who sent it. */
    default InetSocketAddress receive(ByteBuffer target) throws IOException {
        return receive(target, Deadline.NONE).sender();
    }

    /** As the other, without a timeout. */
    default void send(ByteBuffer source, InetSocketAddress target) throws IOException {
        send(source, target, Deadline.NONE);
    }

    /** Sends to, and receives from, that resolved address only. */
    void connect(InetSocketAddress peer) throws IOException;

    void disconnect() throws IOException;

    void join(InetAddress group, NetworkInterface through) throws IOException;

    void leave(InetAddress group, NetworkInterface through) throws IOException;

    @Override
    InetSocketAddress localAddress();
}
