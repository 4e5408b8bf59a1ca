package io.skein.net;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadPendingException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What bytes are read from. One thread reads at a time; {@link #close} may come from anywhere.
 *
 * <p>A read suspends a coroutine and blocks any other thread. Until it returns its buffer must not be used by others.
 *
 * <p>A timeout ends a wait with {@link SocketTimeoutException}, an interrupt with {@link InterruptedIOException}, and both leave
 * the source open. They lose no byte: what was received before is delivered, by this read or the next.
 */
public interface ByteSource extends Closeable {
    /** The size of buffers, unless somebody says otherwise. */
    int BUFFER_SIZE = 8 * 1024;

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

    /** As {@link #readFully(ByteBuffer)}, into an array. */
    default void readFully(byte[] target) throws IOException {
        readFully(ByteBuffer.wrap(target));
    }

    /**
     * Reads up to a delimiter and no further. Nothing is consumed if it throws: who tries again begins at the same byte.
     *
     * @param limit how many bytes to look at, the delimiter included
     * @return the bytes with the delimiter at the end; without it where the stream ended before, and then maybe none
     * @throws IOException if there is no delimiter among the first {@code limit} bytes
     */
    byte[] readUntil(byte delimiter, int limit) throws IOException;

    /** How long each read from now on may wait; null or zero for ever, which is the default. */
    void readTimeout(@Nullable Duration timeout);

    /** How long a read may wait; zero for ever. */
    Duration readTimeout();

    /**
     * Reads so many bytes into a part of a file. No byte is lost: what was received and cannot be written to the file is what the
     * next read delivers.
     *
     * @return how many were written: fewer at the end of the stream, or if a timeout, an interrupt or a failure of the file came when
     *     some were; then the next call tells
     */
    long transferTo(FileChannel target, long position, long count) throws IOException;

    /** A view of this source; to close it is to close this. */
    default InputStream inputStream() {
        return new SourceInputStream(this);
    }
}
