package io.skein.internal.io.nio;

import io.skein.internal.io.Advice;
import io.skein.internal.io.BlockingCall;
import io.skein.internal.io.FileStatus;
import io.skein.internal.io.OpenFile;
import io.skein.internal.io.OpenMode;
import io.skein.internal.io.OpenSockets;
import io.skein.internal.io.Submitter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A file channel.
 *
 * <p>Thread safety is the {@link OpenFile}'s. The JDK has no call that makes a file longer, so this writes a zero at its new
 * end, having looked that it is shorter. A writer must not come between the two: writers share a lock that this takes alone.
 * Only threads of the blocking pool wait for that lock.
 */
final class NioFile extends OpenFile {
    /** The JDK copies heap buffers through memory that it keeps for each thread: not more than this. */
    private static final int HEAP_AT_ONCE = 256 * 1024;

    /** Between two calls an interrupt is seen. */
    private static final int DIRECT_AT_ONCE = 16 * 1024 * 1024;

    private final Submitter submitter;
    private final FileChannel channel;
    private final ReadWriteLock growth = new ReentrantReadWriteLock();

    NioFile(OpenSockets openSockets, Submitter submitter, Path path, OpenMode mode, FileChannel channel) {
        super(openSockets, path, mode);
        this.submitter = submitter;
        this.channel = channel;
        opened();
    }

    private <T extends @Nullable Object> T call(String operation, BlockingCall.Code<? extends T> code)
            throws IOException {
        try {
            return BlockingCall.make(submitter, operation, this, code);
        } catch (IOException e) {
            throw NioFileFailures.exception(operation, path(), null, e);
        }
    }

    private static <T extends @Nullable Object> T locked(Lock lock, BlockingCall.Code<? extends T> code)
            throws IOException {
        lock.lock();
        try {
            return code.run();
        } finally {
            lock.unlock();
        }
    }

    @Override
    protected int mostAtOnce(ByteBuffer buffer) {
        return buffer.isDirect() ? DIRECT_AT_ONCE : HEAP_AT_ONCE;
    }

    @Override
    protected int readOnce(ByteBuffer target, int length, long position) throws IOException {
        ByteBuffer part = part(target, length);
        int count;
        try {
            count = Math.max(0, call("read", () -> channel.read(part, position)));
        } catch (WrongThreadException e) { // the buffer's memory is the caller's alone
            ByteBuffer copy = ByteBuffer.allocate(Math.min(length, HEAP_AT_ONCE));
            count = Math.max(0, call("read", () -> channel.read(copy, position)));
            target.put(copy.flip());
            return count;
        }
        target.position(target.position() + count);
        return count;
    }

    @Override
    protected int writeOnce(ByteBuffer source, int length, long position) throws IOException {
        ByteBuffer part = part(source, length);
        int count;
        try {
            count = put(part, position);
        } catch (WrongThreadException e) { // the buffer's memory is the caller's alone
            ByteBuffer copy = ByteBuffer.allocate(Math.min(length, HEAP_AT_ONCE));
            count = put(copy.put(part(source, copy.capacity())).flip(), position);
        }
        source.position(source.position() + count);
        return count;
    }

    private int put(ByteBuffer source, long position) throws IOException {
        return call("write", () -> locked(growth.readLock(), () -> channel.write(source, position)));
    }

    private static ByteBuffer part(ByteBuffer buffer, int length) {
        return buffer.duplicate().limit(buffer.position() + length);
    }

    /** The JDK has no such call by position: one buffer after the other. */
    @Override
    protected long readOnce(ByteBuffer[] targets, long position) throws IOException {
        ByteBuffer next = firstRemaining(targets);
        return readOnce(next, Math.min(next.remaining(), mostAtOnce(next)), position);
    }

    @Override
    protected long writeOnce(ByteBuffer[] sources, long position) throws IOException {
        ByteBuffer next = firstRemaining(sources);
        return writeOnce(next, Math.min(next.remaining(), mostAtOnce(next)), position);
    }

    private static ByteBuffer firstRemaining(ByteBuffer[] buffers) {
        for (ByteBuffer buffer : buffers) {
            if (buffer.hasRemaining()) {
                return buffer;
            }
        }
        throw new IllegalArgumentException("nothing remains");
    }

    @Override
    protected long transferOnce(long position, long count, OpenFile target, long targetPosition) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(count, HEAP_AT_ONCE));
        int length = readOnce(bytes, bytes.capacity(), position);
        bytes.flip();
        while (bytes.hasRemaining()) {
            ((NioFile) target).writeOnce(bytes, bytes.remaining(), targetPosition + bytes.position());
        }
        return length;
    }

    @Override
    protected void force(boolean metadata) throws IOException {
        this.<@Nullable Void>call("sync", () -> {
            channel.force(metadata);
            return null;
        });
    }

    /** The JDK cannot ask for room on the device; the size is as it would be. */
    @Override
    protected void reserve(long position, long length) throws IOException {
        call("allocate", () -> locked(growth.writeLock(), () -> grow(position + length)));
    }

    @Override
    protected void setSize(long size) throws IOException {
        call("resize", () -> locked(growth.writeLock(), () -> grow(size).truncate(size)));
    }

    private FileChannel grow(long size) throws IOException {
        if (channel.size() < size) {
            channel.write(ByteBuffer.allocate(1), size - 1);
        }
        return channel;
    }

    /** What the JDK tells of a channel is its size; the rest is what its name has now. */
    @Override
    protected FileStatus lookUp() throws IOException {
        return call("status", () -> {
            FileStatus named = NioFileTree.lookUp(path(), true);
            return new FileStatus(
                    named.kind(),
                    named.kind() == FileStatus.Kind.REGULAR ? channel.size() : named.size(),
                    named.modified(),
                    named.accessed(),
                    named.created(),
                    named.permissions(),
                    named.device(),
                    named.inode(),
                    named.links());
        });
    }

    /** The JDK has no way to pass it on. */
    @Override
    protected void hint(long position, long length, Advice advice) {}

    /** The JDK could wake them only by closing the channel, which would fail the calls that do not wait. */
    @Override
    protected void evict() {}

    @Override
    protected void release() {
        try {
            BlockingCall.<@Nullable Void>makeUninterruptibly(submitter, () -> {
                channel.close();
                return null;
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
