package io.skein.internal.io;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * A connected stream socket of some backend.
 *
 * <p>One thread may read while another writes; {@link #close} may come from anywhere. Callers are coroutines of
 * the socket's runtime.
 */
public interface StreamSocket {
    /** The count of bytes read, or -1 at the end of the stream. The target has room. */
    int read(ByteBuffer target) throws IOException;

    /** Writes all of the source. */
    void write(ByteBuffer source) throws IOException;

    void shutdownOutput() throws IOException;

    InetSocketAddress localAddress();

    InetSocketAddress remoteAddress();

    /** Gives the descriptor back, at once or when the last thread inside has left; wakes those inside. */
    void close();
}
