package io.skein.internal.seat;

import io.skein.internal.sched.Scheduler;
import io.skein.net.TcpStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/** The bytes that a socket sends. Any thread may write: one after the other, as with the JDK's sockets. */
final class SeatOutput extends OutputStream {
    private final Scheduler scheduler;
    private final TcpStream stream;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean shutDown;

    SeatOutput(Scheduler scheduler, TcpStream stream) {
        this.scheduler = scheduler;
        this.stream = stream;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        if (length == 0) {
            return;
        }
        lock.lock();
        try {
            ByteBuffer bytes = ByteBuffer.wrap(source, offset, length);
            boolean _ = Guests.call(scheduler, "write", () -> {
                stream.write(bytes);
                return true;
            });
        } finally {
            lock.unlock();
        }
    }

    /** As a channel writes: all of it, and whatever thread it is, an interrupt ends it. Returns how much that was. */
    long write(ByteBuffer[] sources) throws IOException {
        lock.lock();
        try {
            long length = 0;
            for (ByteBuffer source : sources) {
                length += source.remaining();
            }
            boolean _ = Guests.callInterruptibly(scheduler, "write", () -> {
                if (sources.length == 1) {
                    stream.write(sources[0]);
                } else {
                    stream.write(sources);
                }
                return true;
            });
            return length;
        } finally {
            lock.unlock();
        }
    }

    /** Tells the peer that no more will come. Whoever is writing fails, and is not waited for. */
    void shutDown() throws IOException {
        shutDown = true;
        boolean _ = Guests.call(scheduler, "shutdown", () -> {
            stream.shutdownOutput();
            return true;
        });
    }

    boolean isShutDown() {
        return shutDown;
    }
}
