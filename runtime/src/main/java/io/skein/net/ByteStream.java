package io.skein.net;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.ReadPendingException;
import java.nio.channels.WritePendingException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A connection that bytes flow through in both directions. One thread may read while another writes; {@link #close} may come
 * from anywhere.
 *
 * <p>Reads and writes suspend a coroutine and block any other thread. Until a call returns its buffers must not be used by
 * others.
 *
 * <p>A timeout ends a wait with {@link SocketTimeoutException}, an interrupt with {@link InterruptedIOException}, and both leave
 * the stream open. They lose no byte: what was received before is delivered, by this read or the next, and a source's position
 * says how much was written.
 */
public interface ByteStream extends Closeable {
    /**
     * Reads what has arrived, waiting until something has.
     *
     * @return the count of bytes, at least 1; -1 at the end of the stream; 0 only if the target has no room
     * @throws SocketException if the stream is closed, here or by a reset of the peer
     * @throws SocketTimeoutException if nothing arrives within the {@link #readTimeout}
     * @throws InterruptedIOException if the thread is interrupted
     * @throws ReadPendingException if another thread is reading
     * @throws ReadOnlyBufferException if the target is read-only
     */
    int read(ByteBuffer target) throws IOException;

    /**
     * As {@link #read(ByteBuffer)}, into several buffers, each filled before the next. It does not wait for more once it has
     * something.
     */
    default long read(ByteBuffer... targets) throws IOException {
        for (ByteBuffer target : targets) {
            if (target.hasRemaining()) {
                return read(target);
            }
        }
        return 0;
    }

    /** As {@link #read(ByteBuffer)}, into an array. */
    default int read(byte[] target) throws IOException {
        return read(ByteBuffer.wrap(target));
    }

    /** As {@link #read(ByteBuffer)}, into a part of an array. */
    default int read(byte[] target, int offset, int length) throws IOException {
        return read(ByteBuffer.wrap(target, offset, length));
    }

    /**
     * Reads until the target is full. Each of its reads may take as long as the {@link #readTimeout}. Whatever is thrown,
     * the target's position says how much was read.
     *
     * @throws EOFException if the stream ends before
     */
    default void readFully(ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            if (read(target) < 0) {
                throw new EOFException(
                        "read " + this + ": the stream ended, with " + target.remaining() + " bytes still to come");
            }
        }
    }

    /**
     * Writes everything that remains in the source.
     *
     * @throws SocketException if the stream is closed, here or by the peer
     * @throws SocketTimeoutException if that takes longer than the {@link #writeTimeout}
     * @throws InterruptedIOException if the thread is interrupted
     * @throws WritePendingException if another thread is writing
     */
    void write(ByteBuffer source) throws IOException;

    /** As {@link #write(ByteBuffer)}, from several buffers, in their order. */
    default void write(ByteBuffer... sources) throws IOException {
        for (ByteBuffer source : sources) {
            write(source);
        }
    }

    /** As {@link #write(ByteBuffer)}, from an array. */
    default void write(byte[] source) throws IOException {
        write(ByteBuffer.wrap(source));
    }

    /** As {@link #write(ByteBuffer)}, from a part of an array. */
    default void write(byte[] source, int offset, int length) throws IOException {
        write(ByteBuffer.wrap(source, offset, length));
    }

    /** How long each read from now on may wait; null or zero for ever, which is the default. */
    void readTimeout(@Nullable Duration timeout);

    /** How long a read may wait; zero for ever. */
    Duration readTimeout();

    /** How long each write from now on may take; null or zero for ever, which is the default. */
    void writeTimeout(@Nullable Duration timeout);

    /** How long a write may take; zero for ever. */
    Duration writeTimeout();

    /** Tells the peer that no more will be written; it reads the end of the stream. Reading goes on. */
    void shutdownOutput() throws IOException;

    SocketAddress localAddress();

    SocketAddress remoteAddress();
}
