package io.skein.net;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ByteChannel;

/**
 * A connection that bytes flow through in both directions. One thread may read while another writes; {@link #close} may come
 * from anywhere and wakes both with a {@link java.net.SocketException}.
 */
public interface ByteStream extends ByteSource, ByteSink {
    /**
     * Tells the peer that no more will be written; it reads the end of the stream, after what was written. Reading
     * goes on.
     */
    void shutdownOutput() throws IOException;

    SocketAddress localAddress();

    SocketAddress remoteAddress();

    /** A view of this stream that reads and writes; to close it is to close this. */
    default ByteChannel channel() {
        return new StreamChannel(this);
    }

    /** Two halves of this stream, to be handed to two owners; the stream itself is not to be used any more. */
    default Halves split() {
        return new Halves(this);
    }
}
