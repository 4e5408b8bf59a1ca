package io.skein.net;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadPendingException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A source that reads ahead, so that many small reads cost few large ones. One thread reads at a time; {@link #close} may come from
 * anywhere.
 *
 * <p>What was read ahead is lost for who reads from the source below.
 */
public final class BufferedSource implements ByteSource {
    private final ByteSource source;
    private final int size;
    private final AtomicBoolean reading = new AtomicBoolean();

    /**
     * What was read ahead: from {@code first} to {@code end}. Larger than {@code size} only while a delimiter is looked for, or after
     * a transfer that a file did not take.
     */
    private byte[] bytes;

    private int first;
    private int end;

    /** Reads ahead {@link ByteSource#BUFFER_SIZE} bytes at most. */
    public BufferedSource(ByteSource source) {
        this(source, BUFFER_SIZE);
    }

    /** Reads ahead so many bytes at most. */
    public BufferedSource(ByteSource source, int size) {
        if (size < 1) {
            throw new IllegalArgumentException("size: " + size + "; it must be at least 1");
        }
        this.source = source;
        this.size = size;
        this.bytes = new byte[size];
    }

    /** How many bytes can be read without waiting. */
    public int buffered() {
        return end - first;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (target.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        if (!target.hasRemaining()) {
            return 0;
        }
        enter();
        try {
            return readInside(target);
        } finally {
            leave();
        }
    }

    private int readInside(ByteBuffer target) throws IOException {
        if (first == end && target.remaining() >= size) {
            return source.read(target);
        }
        if (first == end && fill() < 0) {
            return -1;
        }
        int count = Math.min(target.remaining(), end - first);
        target.put(bytes, first, count);
        consume(count);
        return count;
    }

    /**
     * The next byte, from 0 to 255.
     *
     * @throws EOFException if the stream has ended
     */
    public int readByte() throws IOException {
        enter();
        try {
            if (first == end && fill() < 0) {
                throw new EOFException("read " + source + ": the stream ended");
            }
            int value = bytes[first] & 0xff;
            consume(1);
            return value;
        } finally {
            leave();
        }
    }

    @Override
    public byte[] readUntil(byte delimiter, int limit) throws IOException {
        if (limit < 1) {
            throw new IllegalArgumentException("limit: " + limit + "; it must be at least 1");
        }
        enter();
        try {
            int looked = 0;
            while (true) {
                int most = Math.min(end - first, limit);
                for (; looked < most; looked++) {
                    if (bytes[first + looked] == delimiter) {
                        return take(looked + 1);
                    }
                }
                if (looked == limit) {
                    throw new IOException("read " + source + ": no delimiter among the first " + limit + " bytes");
                }
                makeRoom(limit);
                if (fill() < 0) {
                    return take(looked);
                }
            }
        } finally {
            leave();
        }
    }

    @Override
    public long transferTo(FileChannel target, long position, long count) throws IOException {
        enter();
        try {
            return ChannelTransfer.receive(this::readInside, target, position, count, this::putBack);
        } finally {
            leave();
        }
    }

    /** Takes bytes back that were read: they are read again before what is here. */
    private void putBack(ByteBuffer unread) {
        int count = unread.remaining();
        byte[] joined = new byte[Math.max(size, count + buffered())];
        unread.get(joined, 0, count);
        System.arraycopy(bytes, first, joined, count, buffered());
        end = count + buffered();
        first = 0;
        bytes = joined;
    }

    private byte[] take(int count) {
        byte[] taken = Arrays.copyOfRange(bytes, first, first + count);
        consume(count);
        return taken;
    }

    private void consume(int count) {
        first += count;
        if (first == end) {
            first = 0;
            end = 0;
            if (bytes.length > size) {
                bytes = new byte[size];
            }
        }
    }

    /** Sees to it that there is room behind the bytes, for at most so many altogether. */
    private void makeRoom(int limit) {
        if (end < bytes.length) {
            return;
        }
        byte[] target = first > 0 ? bytes : new byte[(int) Math.min(limit, 2L * bytes.length)];
        System.arraycopy(bytes, first, target, 0, end - first);
        bytes = target;
        end -= first;
        first = 0;
    }

    private int fill() throws IOException {
        int count = source.read(bytes, end, bytes.length - end);
        if (count > 0) {
            end += count;
        }
        return count;
    }

    private void enter() {
        if (!reading.compareAndSet(false, true)) {
            throw new ReadPendingException();
        }
    }

    private void leave() {
        reading.setRelease(false);
    }

    @Override
    public void readTimeout(@Nullable Duration timeout) {
        source.readTimeout(timeout);
    }

    @Override
    public Duration readTimeout() {
        return source.readTimeout();
    }

    @Override
    public void close() throws IOException {
        source.close();
    }

    @Override
    public String toString() {
        return source.toString();
    }
}
