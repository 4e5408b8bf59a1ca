package io.skein.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A sink that collects, so that many small writes cost few large ones. One thread writes at a time; {@link #flush} sends what has
 * collected, and so does {@link #close}, which therefore comes from the writing thread.
 */
public final class BufferedSink implements ByteSink {
    private final ByteSink sink;

    /** From 0 to its position, bytes that were not written yet. */
    private final ByteBuffer collected;

    private boolean closed;

    /** Collects {@link ByteSource#BUFFER_SIZE} bytes at most. */
    public BufferedSink(ByteSink sink) {
        this(sink, ByteSource.BUFFER_SIZE);
    }

    /** Collects so many bytes at most. */
    public BufferedSink(ByteSink sink, int size) {
        if (size < 1) {
            throw new IllegalArgumentException("size: " + size + "; it must be at least 1");
        }
        this.sink = sink;
        this.collected = ByteBuffer.allocate(size);
    }

    /** Takes everything that remains in the source. What does not fit is written, together with what has collected. */
    @Override
    public void write(ByteBuffer source) throws IOException {
        if (source.remaining() <= collected.remaining()) {
            collected.put(source);
        } else if (collected.position() == 0) {
            sink.write(source);
        } else {
            collected.flip();
            try {
                sink.write(collected, source);
            } finally {
                collected.compact();
            }
        }
    }

    /** Takes one byte. */
    public void writeByte(int value) throws IOException {
        if (!collected.hasRemaining()) {
            flush();
        }
        collected.put((byte) value);
    }

    /** Writes what has collected. If that fails, what was not written is kept. */
    public void flush() throws IOException {
        if (collected.position() > 0) {
            collected.flip();
            try {
                sink.write(collected);
            } finally {
                collected.compact();
            }
        }
    }

    @Override
    public void writeTimeout(@Nullable Duration timeout) {
        sink.writeTimeout(timeout);
    }

    @Override
    public Duration writeTimeout() {
        return sink.writeTimeout();
    }

    /** Writes what has collected, and closes the sink below, whether or not that worked. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            flush();
        } finally {
            sink.close();
        }
    }

    @Override
    public String toString() {
        return sink.toString();
    }
}
