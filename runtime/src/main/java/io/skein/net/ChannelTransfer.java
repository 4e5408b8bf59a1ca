package io.skein.net;

import io.skein.internal.Uninterruptibly;
import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

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

    /**
     * Writes what is read to a file. A failure of the file is thrown if nothing was written; otherwise whoever tries again meets
     * it again. A stream's failure is told only once, so it is thrown in any case.
     *
     * @param unwritten takes what has come and the file did not take
     */
    static long receive(
            DirectSource.Reading source, FileChannel target, long position, long count, Consumer<ByteBuffer> unwritten)
            throws IOException {
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
            try {
                while (buffer.hasRemaining()) {
                    long to = position + received;
                    received += blocking(() -> target.write(buffer, to));
                }
            } catch (IOException | RuntimeException e) {
                if (received == 0) {
                    throw e;
                }
                return received;
            } finally {
                if (buffer.hasRemaining()) {
                    unwritten.accept(buffer);
                }
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

    /**
     * Calls on a thread of the blocking pool, or here where the caller is no coroutine. An interrupt would close the channel, and a
     * caller that left early would leave its buffer to the call: so the call is not interrupted, and is waited for.
     */
    private static int blocking(Callable<Integer> call) throws IOException {
        Scheduler scheduler = Scheduler.current();
        FutureTask<Integer> task = new FutureTask<>(call);
        boolean interrupted = Thread.interrupted();
        try {
            if (scheduler == null) {
                task.run();
            } else {
                scheduler.blockingPool().execute(task);
            }
            Uninterruptibly.run(() -> awaitEnd(task));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (task.state() == Future.State.SUCCESS) {
            return task.resultNow();
        }
        switch (task.exceptionNow()) {
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IOException(e);
        }
    }

    private static void awaitEnd(FutureTask<Integer> task) throws InterruptedException {
        try {
            task.get();
        } catch (ExecutionException e) {
            // told by its state
        }
    }
}
