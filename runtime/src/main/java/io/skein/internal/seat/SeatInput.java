package io.skein.internal.seat;

import io.skein.Coroutine;
import io.skein.internal.sched.Scheduler;
import io.skein.net.TcpStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bytes that a socket receives. Any thread may read: one after the other, as with the JDK's sockets.
 *
 * <p>The {@code lock} is the reader's, who alone sets the stream's timeout and {@code ended}.
 */
final class SeatInput extends InputStream {
    private final Scheduler scheduler;
    private final TcpStream stream;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Duration timeout;
    private volatile boolean shutDown;
    private volatile boolean ended;

    SeatInput(Scheduler scheduler, TcpStream stream, Duration timeout) {
        this.scheduler = scheduler;
        this.stream = stream;
        this.timeout = timeout;
    }

    /** How long each read from now on may wait; zero for ever. A channel's waits for ever. */
    void timeout(Duration limit) {
        timeout = limit;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        ByteBuffer bytes = ByteBuffer.wrap(target, offset, length);
        lock.lock();
        try {
            stream.readTimeout(timeout);
            return isOver() ? -1 : received(Guests.call(scheduler, "read", () -> stream.read(bytes)));
        } finally {
            lock.unlock();
        }
    }

    /** As a channel reads: for as long as it takes, and whatever thread it is, an interrupt ends it. */
    int read(ByteBuffer target) throws IOException {
        lock.lock();
        try {
            stream.readTimeout(null);
            return isOver() ? -1 : received(Guests.callInterruptibly(scheduler, "read", () -> stream.read(target)));
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #read(ByteBuffer)}, into several buffers. */
    long read(ByteBuffer[] targets) throws IOException {
        lock.lock();
        try {
            stream.readTimeout(null);
            return isOver() ? -1 : received(Guests.callInterruptibly(scheduler, "read", () -> stream.read(targets)));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether the end has been read, as it is now where the input is shut down. It stays so after a close, as with the
     * JDK's.
     */
    private boolean isOver() throws SocketException {
        if (shutDown && !ended) {
            checkOpen("read");
            ended = true;
        }
        return ended;
    }

    private void checkOpen(String operation) throws SocketException {
        if (!stream.isOpen()) {
            throw new SocketException(operation + ": closed");
        }
    }

    private <N extends Number> N received(N count) {
        ended = count.longValue() < 0;
        return count;
    }

    /**
     * How many bytes can be read without waiting. A coroutine that finds none gives way to its worker, which may have something to
     * bring in: for callers who ask again and again.
     */
    @Override
    public int available() throws IOException {
        checkOpen("available");
        if (shutDown || ended) {
            return 0;
        }
        int count = stream.available();
        if (count == 0 && scheduler.serves()) {
            Coroutine.yieldNow();
            count = stream.available();
        }
        return count;
    }

    /** Reads the end from now on. */
    void shutDown() throws IOException {
        shutDown = true;
        stream.shutdownInput();
    }
}
