package io.skein.net;

import io.skein.Skein;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.Callable;

/** Moves bytes between file channels of the JDK, which block, and streams. Any thread may call it. */
final class ChannelTransfer {
    private static final int SIZE = 64 * 1024;

    private ChannelTransfer() {}

    static long send(ByteSink sink, FileChannel source, long position, long count) throws IOException {
        ByteBuffer buffer = buffer(position, count);
        long sent = 0;
        while (sent < count) {
            long from = position + sent;
            buffer.clear().limit((int) Math.min(buffer.capacity(), count - sent));
            if (blocking(() -> source.read(buffer, from)) < 0) {
                break;
            }
            buffer.flip();
            try {
                sink.write(buffer);
            } catch (InterruptedIOException e) { // a timeout is one, too
                sent += buffer.position();
                if (sent == 0) {
                    throw e;
                }
                return sent;
            }
            sent += buffer.limit();
        }
        return sent;
    }

    static long receive(ByteSource source, FileChannel target, long position, long count) throws IOException {
        ByteBuffer buffer = buffer(position, count);
        long received = 0;
        while (received < count) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), count - received));
            try {
                if (source.read(buffer) < 0) {
                    break;
                }
            } catch (InterruptedIOException e) {
                if (received == 0) {
                    throw e;
                }
                return received;
            }
            buffer.flip();
            while (buffer.hasRemaining()) {
                long to = position + received;
                received += blocking(() -> target.write(buffer, to));
            }
        }
        return received;
    }

    private static ByteBuffer buffer(long position, long count) {
        if (position < 0 || count < 0) {
            throw new IllegalArgumentException(
                    "position " + position + ", count " + count + ": neither may be negative");
        }
        return ByteBuffer.allocateDirect((int) Math.min(SIZE, count));
    }

    /** The blocking pool's threads are interrupted with their callers, which would close the channel: so nobody is here. */
    private static int blocking(Callable<Integer> call) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            return Skein.blocking(call);
        } catch (InterruptedException e) {
            interrupted = true;
            throw new InterruptedIOException("interrupted in a file transfer");
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
