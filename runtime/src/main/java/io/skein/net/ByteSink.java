package io.skein.net;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritePendingException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What bytes are written to. One thread writes at a time; {@link #close} may come from anywhere.
 *
 * <p>A write suspends a coroutine and blocks any other thread. Until it returns its buffer must not be used by others. When it
 * returns the bytes are on their way, not with the peer: a failure to send them may be told by a later write.
 *
 * <p>A timeout ends a write with {@link SocketTimeoutException}, an interrupt with {@link InterruptedIOException}, and both leave
 * the sink open; the source's position says how much was written.
 */
public interface ByteSink extends Closeable {
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

    /** How long each write from now on may take; null or zero for ever, which is the default. */
    void writeTimeout(@Nullable Duration timeout);

    /** How long a write may take; zero for ever. */
    Duration writeTimeout();

    /**
     * Writes a part of a file.
     *
     * @return how many bytes: fewer at the end of the file, or if a timeout or an interrupt came when some were written; then the
     *     next call tells
     */
    default long transferFrom(FileChannel source, long position, long count) throws IOException {
        return ChannelTransfer.send(this, source, position, count);
    }

    /** A view of this sink; to close it is to close this. */
    default OutputStream outputStream() {
        return new SinkOutputStream(this);
    }
}
