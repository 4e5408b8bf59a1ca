package io.skein.internal.seat;

import io.skein.internal.sched.Scheduler;
import io.skein.net.TcpStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a socket receives. Any thread may read: one after the other, as with the JDK's sockets.
 *
 * <p>The {@code lock} is the reader's, and the fields are its own. What {@link #available} has found is kept until it is read:
 * bytes in {@code ahead}, a failure in {@code failure}, the end in {@code ended}. The timeout is under the monitor: a look has one
 * of its own, and gives the stream back the latest that was set.
 */
final class SeatInput extends InputStream {
    /** How long a look at what has arrived may take when nothing has. */
    private static final Duration LOOK = Duration.ofMillis(1);

    private static final int AHEAD = 4096;

    private final Scheduler scheduler;
    private final TcpStream stream;
    private final ReentrantLock lock = new ReentrantLock();
    private ByteBuffer ahead = ByteBuffer.allocate(0);
    private @Nullable IOException failure;
    private boolean ended;
    private volatile boolean shutDown;

    private Duration timeout;
    private boolean looking;

    SeatInput(Scheduler scheduler, TcpStream stream, Duration timeout) {
        this.scheduler = scheduler;
        this.stream = stream;
        this.timeout = timeout;
        stream.readTimeout(timeout);
    }

    /** How long each read from now on may wait; zero for ever. */
    synchronized void timeout(Duration limit) {
        timeout = limit;
        if (!looking) {
            stream.readTimeout(limit);
        }
    }

    private synchronized void beginLook() {
        looking = true;
        stream.readTimeout(LOOK);
    }

    private synchronized void endLook() {
        looking = false;
        stream.readTimeout(timeout);
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
        lock.lock();
        try {
            if (shutDown) {
                return -1;
            }
            if (ahead.hasRemaining()) {
                int count = Math.min(length, ahead.remaining());
                ahead.get(target, offset, count);
                return count;
            }
            if (failure != null) {
                IOException noticed = failure;
                failure = null;
                throw noticed;
            }
            if (ended) {
                return -1;
            }
            return receive(ByteBuffer.wrap(target, offset, length));
        } finally {
            lock.unlock();
        }
    }

    private int receive(ByteBuffer target) throws IOException {
        int count = Guests.call(scheduler, "read", () -> stream.read(target));
        ended = count < 0;
        return count;
    }

    /** How many bytes can be read without waiting, as far as is known; 0 while another thread reads. */
    @Override
    public int available() throws IOException {
        if (shutDown || !lock.tryLock()) {
            return 0;
        }
        try {
            if (!ahead.hasRemaining() && failure == null && !ended) {
                look();
            }
            return ahead.remaining();
        } finally {
            lock.unlock();
        }
    }

    /** Reads what is there; a read that may not wait longer than a moment. */
    private void look() throws IOException {
        ByteBuffer found = ByteBuffer.allocate(AHEAD);
        beginLook();
        try {
            receive(found);
        } catch (SocketTimeoutException nothing) {
            // 0 then
        } catch (IOException e) {
            failure = e;
        } finally {
            endLook();
        }
        ahead = found.flip();
    }

    /** Reads the end from now on. */
    void shutDown() throws IOException {
        shutDown = true;
        stream.shutdownInput();
    }
}
