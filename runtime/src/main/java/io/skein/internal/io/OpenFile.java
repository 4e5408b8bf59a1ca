package io.skein.internal.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * An open file: what every backend does alike. It checks what it is given, and cuts what is too long for one call.
 *
 * <p>Thread safety is the {@link SharedGate}'s: any number may be inside.
 */
public abstract class OpenFile extends SharedGate implements FileHandle {
    private final Path path;
    private final OpenMode mode;

    protected OpenFile(OpenSockets openSockets, Path path, OpenMode mode) {
        super(openSockets);
        this.path = path;
        this.mode = mode;
    }

    // What a backend does. Whoever calls these is inside.

    /** The most that one call transfers between the file and this buffer. */
    protected abstract int mostAtOnce(ByteBuffer buffer);

    /** Reads up to so many bytes in one call and moves the target's position; 0 at the end of the file. */
    protected abstract int readOnce(ByteBuffer target, int length, long position) throws IOException;

    /** Writes up to so many bytes in one call and moves the source's position. */
    protected abstract int writeOnce(ByteBuffer source, int length, long position) throws IOException;

    /** Reads into as many of the targets as one call takes and moves their positions; 0 at the end of the file. */
    protected abstract long readOnce(ByteBuffer[] targets, long position) throws IOException;

    /** Writes from as many of the sources as one call takes and moves their positions. */
    protected abstract long writeOnce(ByteBuffer[] sources, long position) throws IOException;

    /** Copies up to so many bytes to another file that the caller is inside of; 0 at the end of the file. */
    protected abstract long transferOnce(long position, long count, OpenFile target, long targetPosition)
            throws IOException;

    protected abstract void force(boolean metadata) throws IOException;

    protected abstract void reserve(long position, long length) throws IOException;

    protected abstract void setSize(long size) throws IOException;

    protected abstract FileStatus lookUp() throws IOException;

    protected abstract void hint(long position, long length, Advice advice) throws IOException;

    // What is the same for all.

    @Override
    public final int read(ByteBuffer target, long position) throws IOException {
        checkTarget(target);
        checkRange(position, 0);
        mode.checkReadable();
        enter("read");
        int before = target.position();
        try {
            boolean full = true;
            while (target.hasRemaining() && full) {
                int wanted = Math.min(target.remaining(), mostAtOnce(target));
                full = readOnce(target, wanted, position + target.position() - before) == wanted;
            }
        } catch (IOException e) {
            if (target.position() == before) {
                throw e;
            }
        } finally {
            leave();
        }
        int count = target.position() - before;
        return count == 0 && target.hasRemaining() ? -1 : count;
    }

    @Override
    public final long read(ByteBuffer[] targets, long position) throws IOException {
        for (ByteBuffer target : targets) {
            checkTarget(target);
        }
        checkRange(position, 0);
        mode.checkReadable();
        enter("read");
        long total = 0;
        try {
            long count = 1;
            while (hasRemaining(targets) && count > 0) {
                count = readOnce(targets, position + total);
                total += count;
            }
        } catch (IOException e) {
            if (total == 0) {
                throw e;
            }
        } finally {
            leave();
        }
        return total == 0 && hasRemaining(targets) ? -1 : total;
    }

    @Override
    public final void write(ByteBuffer source, long position) throws IOException {
        checkRange(position, 0);
        Objects.requireNonNull(source);
        mode.checkWritable();
        enter("write");
        int before = source.position();
        try {
            while (source.hasRemaining()) {
                int most = Math.min(source.remaining(), mostAtOnce(source));
                checkProgress(writeOnce(source, most, position + source.position() - before));
            }
        } finally {
            leave();
        }
    }

    @Override
    public final void write(ByteBuffer[] sources, long position) throws IOException {
        for (ByteBuffer source : sources) {
            Objects.requireNonNull(source);
        }
        checkRange(position, 0);
        mode.checkWritable();
        enter("write");
        try {
            long next = position;
            while (hasRemaining(sources)) {
                long count = writeOnce(sources, next);
                checkProgress(count);
                next += count;
            }
        } finally {
            leave();
        }
    }

    @Override
    public final long transferTo(long position, long count, FileHandle target, long targetPosition) throws IOException {
        checkRange(position, count);
        checkRange(targetPosition, count);
        mode.checkReadable();
        if (!(target instanceof OpenFile other) || other.getClass() != getClass()) {
            throw new IllegalArgumentException("a file of another backend: " + target);
        }
        other.mode.checkPositions();
        enter("transfer from");
        try {
            other.enter("transfer to");
            try {
                return transfer(position, count, other, targetPosition);
            } finally {
                other.leave();
            }
        } finally {
            leave();
        }
    }

    private long transfer(long position, long count, OpenFile other, long targetPosition) throws IOException {
        long total = 0;
        try {
            long copied = 1;
            while (total < count && copied > 0) {
                copied = transferOnce(position + total, count - total, other, targetPosition + total);
                total += copied;
            }
        } catch (IOException e) {
            if (total == 0) {
                throw e;
            }
        }
        return total;
    }

    @Override
    public final void sync(boolean metadata) throws IOException {
        enter("sync");
        try {
            force(metadata);
        } finally {
            leave();
        }
    }

    @Override
    public final void allocate(long position, long length) throws IOException {
        checkRange(position, length);
        if (length == 0) {
            throw new IllegalArgumentException("length: 0; there is nothing to allocate");
        }
        mode.checkWritable();
        enter("allocate");
        try {
            reserve(position, length);
        } finally {
            leave();
        }
    }

    @Override
    public final void resize(long size) throws IOException {
        checkRange(size, 0);
        mode.checkWritable();
        enter("resize");
        try {
            setSize(size);
        } finally {
            leave();
        }
    }

    @Override
    public final FileStatus status() throws IOException {
        enter("status");
        try {
            return lookUp();
        } finally {
            leave();
        }
    }

    @Override
    public final void advise(long position, long length, Advice advice) throws IOException {
        checkRange(position, length);
        enter("advise");
        try {
            hint(position, length, advice);
        } finally {
            leave();
        }
    }

    private static void checkTarget(ByteBuffer target) {
        if (target.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
    }

    private static void checkRange(long position, long length) {
        if (position < 0 || length < 0 || position + length < 0) {
            throw new IllegalArgumentException("no range of a file: position " + position + ", length " + length);
        }
    }

    private void checkProgress(long written) throws IOException {
        if (written == 0) { // a device that takes nothing would be written to for ever
            throw new FileSystemException(toString(), null, "write: nothing was taken");
        }
    }

    private static boolean hasRemaining(ByteBuffer[] buffers) {
        for (ByteBuffer buffer : buffers) {
            if (buffer.hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    protected final Path path() {
        return path;
    }

    @Override
    public final String toString() {
        return path.toString();
    }
}
