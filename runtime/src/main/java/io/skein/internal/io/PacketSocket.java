package io.skein.internal.io;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * A socket for datagrams of some backend.
 *
 * <p>One thread may receive while another sends; {@link #close} may come from anywhere. Callers are coroutines of the
 * socket's runtime.
 */
public interface PacketSocket {
    /**
     * Waits for a datagram; what the target has no room for is lost.
     *
     * @return who sent it
     */
    InetSocketAddress receive(ByteBuffer target) throws IOException;

    /** Sends all of the source as one datagram, to a resolved address. */
    void send(ByteBuffer source, InetSocketAddress target) throws IOException;

    InetSocketAddress localAddress();

    /** Gives the descriptor back, at once or when the last thread inside has left; wakes those inside. */
    void close();
}
