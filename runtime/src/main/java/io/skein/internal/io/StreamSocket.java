package io.skein.internal.io;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connected stream socket of some backend.
 *
 * <p>One thread may read while another writes; {@link #close} may come from anywhere. Callers are coroutines of
 * the socket's runtime. A timeout of {@link Deadline#NONE} never passes; when another has, the call throws
 * {@link java.net.SocketTimeoutException} and the socket goes on. What was transferred by then is told as ever: a read that has
 * got something returns it, and positions say how much was written.
 */
public interface StreamSocket extends BoundSocket {
    /** The count of bytes read, or -1 at the end of the stream. The target has room. */
    int read(ByteBuffer target, long timeoutNanos) throws IOException;

    /** As the other, into several buffers, each filled before the next. */
    long read(ByteBuffer[] targets, long timeoutNanos) throws IOException;

    /**
     * Waits until something has arrived and lends it, in a buffer of the driver's or of the pool; it takes none before.
     *
     * @return what has arrived, from the buffer's position to its limit, or null at the end of the stream
     */
    @Nullable
    Loan receive(LeasePool pool, long timeoutNanos) throws IOException;

    /**
     * Writes a part of a file of the same backend.
     *
     * @return how many bytes: fewer than wanted at the end of the file, and where something went wrong when some were
     *     written; the next call tells what
     */
    long sendFile(FileHandle file, long position, long count, long timeoutNanos) throws IOException;

    /** How many bytes the caller's own driver has received and nobody has read yet. It costs nothing to ask. */
    int held();

    /**
     * How many bytes have arrived and can be read without waiting.
     *
     * @throws UnsupportedOperationException if the driver cannot tell, which is so with nio for sockets of Unix
     */
    int available() throws IOException;

    /** Writes all of the source. */
    void write(ByteBuffer source, long timeoutNanos) throws IOException;

    /** Writes what is left in a loan, and gives it back when it is sent; or at once, if that fails. */
    default void send(Loan loan, long timeoutNanos) throws IOException {
        try {
            write(loan.bytes(), timeoutNanos);
        } finally {
            loan.giveBack();
        }
    }

    /** Writes all of the sources, in their order. */
    void write(ByteBuffer[] sources, long timeoutNanos) throws IOException;

    /** Reads the end of the stream from now on, and lets whoever reads now do so. */
    void shutdownInput() throws IOException;

    /**
     * Tells the peer that no more will come, after what was written, and does not wait for that. A thread that is
     * writing is let go, and fails; so does every later write.
     */
    void shutdownOutput() throws IOException;

    SocketAddress remoteAddress();
}
