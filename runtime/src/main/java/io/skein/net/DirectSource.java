package io.skein.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A stream below what it has read ahead. Thread safety is that of the stream. */
final class DirectSource implements ByteSource {
    /** Reads past what was read ahead. */
    @FunctionalInterface
    interface Reading {
        int read(ByteBuffer target) throws IOException;
    }

    private final ByteStream stream;
    private final Reading reading;

    DirectSource(ByteStream stream, Reading reading) {
        this.stream = stream;
        this.reading = reading;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return reading.read(target);
    }

    @Override
    public byte[] readUntil(byte delimiter, int limit) throws IOException {
        return stream.readUntil(delimiter, limit);
    }

    @Override
    public long transferTo(FileChannel target, long position, long count) throws IOException {
        return stream.transferTo(target, position, count);
    }

    @Override
    public void readTimeout(@Nullable Duration timeout) {
        stream.readTimeout(timeout);
    }

    @Override
    public Duration readTimeout() {
        return stream.readTimeout();
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }

    @Override
    public String toString() {
        return stream.toString();
    }
}
