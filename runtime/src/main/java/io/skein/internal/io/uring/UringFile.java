package io.skein.internal.io.uring;

import io.skein.internal.io.Advice;
import io.skein.internal.io.BlockingCall;
import io.skein.internal.io.FileStatus;
import io.skein.internal.io.Lane;
import io.skein.internal.io.OpenFile;
import io.skein.internal.io.OpenMode;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.FileErrors;
import io.skein.internal.linux.Libc;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An open file on rings.
 *
 * <p>Thread safety is the {@link OpenFile}'s: many may be inside at once, and each has an operation of its own. One operation
 * is kept for the next who comes, so that a lone reader or writer allocates none.
 */
final class UringFile extends OpenFile {
    /** What is in memory already the kernel copies while the worker waits; others are to have their turn between. */
    static final int MOST_AT_ONCE = 1 << 20;

    private final UringBackend backend;
    private final Submitter submitter;
    private final int fd;

    /** Whether the kernel's rings can set a file's size: Linux 6.9. */
    private final boolean resizes;

    /** Whether they take vectors of memory that the kernel knows: Linux 6.15. */
    private final boolean registeredVectors;

    /** The ways to the drivers that had operations on this file. */
    private final Set<Lane> lanes = new CopyOnWriteArraySet<>();

    private final AtomicReference<@Nullable Transfer> spare = new AtomicReference<>();

    UringFile(UringBackend backend, Submitter submitter, Path path, OpenMode mode, int fd, UringProbe probe) {
        super(backend.openSockets(), path, mode);
        this.backend = backend;
        this.submitter = submitter;
        this.fd = fd;
        this.resizes = probe.supports(Abi.IORING_OP_FTRUNCATE);
        this.registeredVectors = probe.supports(Abi.IORING_OP_READV_FIXED);
        opened();
    }

    int fd() {
        return fd;
    }

    NativeBuffers buffers() {
        return backend.buffers();
    }

    void goesTo(Lane lane) {
        lanes.add(lane);
    }

    /** Whether somebody has closed it, so that nobody is to begin anything. */
    boolean isAbandoned() {
        return isClosed();
    }

    private int check(String operation, int result) throws IOException {
        if (Errno.ECANCELED.is(result) && isClosed()) {
            throw new FileSystemException(toString(), null, operation + ": closed by another thread");
        }
        if (result < 0) {
            throw FileErrors.exception(operation, toString(), null, -result);
        }
        return result;
    }

    private int perform(String operation, UringOperation request) throws IOException {
        return check(operation, request.performThrough(submitter));
    }

    /**
     * Makes one transfer.
     *
     * @param length the buffer's bytes, or the vector's entries
     */
    private int transfer(String operation, byte opcode, byte registeredOpcode, long address, int length, long position)
            throws IOException {
        Transfer kept = spare.getAndSet(null);
        Transfer transfer = kept != null ? kept : new Transfer(this);
        int result = transfer.prepare(opcode, registeredOpcode, address, length, position)
                .performThrough(submitter);
        spare.set(transfer);
        return check(operation, result);
    }

    @Override
    protected int mostAtOnce(ByteBuffer buffer) {
        return buffer.isDirect() ? MOST_AT_ONCE : NativeBuffers.SIZE;
    }

    @Override
    protected int readOnce(ByteBuffer target, int length, long position) throws IOException {
        int count;
        if (target.isDirect()) {
            try {
                long address = MemorySegment.ofBuffer(target).address();
                count = transfer("read", Abi.IORING_OP_READ, Abi.IORING_OP_READ, address, length, position);
            } finally {
                Reference.reachabilityFence(target); // until here the kernel may write to it
            }
        } else {
            Long buffer = backend.buffers().takeForFile();
            try {
                count = transfer("read", Abi.IORING_OP_READ, Abi.IORING_OP_READ_FIXED, buffer, length, position);
                Iovec.copy(buffer, target, count);
            } finally {
                backend.buffers().giveBack(buffer);
            }
        }
        target.position(target.position() + count);
        return count;
    }

    @Override
    protected int writeOnce(ByteBuffer source, int length, long position) throws IOException {
        int count;
        if (source.isDirect()) {
            try {
                long address = MemorySegment.ofBuffer(source).address();
                count = transfer("write", Abi.IORING_OP_WRITE, Abi.IORING_OP_WRITE, address, length, position);
            } finally {
                Reference.reachabilityFence(source); // until here the kernel may read from it
            }
        } else {
            Long buffer = backend.buffers().takeForFile();
            try {
                Iovec.copy(source, buffer, length);
                count = transfer("write", Abi.IORING_OP_WRITE, Abi.IORING_OP_WRITE_FIXED, buffer, length, position);
            } finally {
                backend.buffers().giveBack(buffer);
            }
        }
        source.position(source.position() + count);
        return count;
    }

    @Override
    protected long readOnce(ByteBuffer[] targets, long position) throws IOException {
        return vectored(Abi.IORING_OP_READV, Abi.IORING_OP_READV_FIXED, targets, position);
    }

    @Override
    protected long writeOnce(ByteBuffer[] sources, long position) throws IOException {
        return vectored(Abi.IORING_OP_WRITEV, Abi.IORING_OP_WRITEV_FIXED, sources, position);
    }

    private long vectored(byte opcode, byte registeredOpcode, ByteBuffer[] buffers, long position) throws IOException {
        boolean writing = opcode == Abi.IORING_OP_WRITEV;
        Long memory = backend.buffers().takeForFile();
        try {
            Iovec vector = new Iovec(memory);
            int entries = vector.layOut(buffers, writing);
            byte best = registeredVectors && vector.isInside() ? registeredOpcode : opcode;
            int count = transfer(writing ? "write" : "read", opcode, best, memory, entries, position);
            vector.settle(buffers, count, !writing);
            return count;
        } finally {
            backend.buffers().giveBack(memory);
            Reference.reachabilityFence(buffers); // until here the kernel may use them
        }
    }

    @Override
    protected long transferOnce(long position, long count, OpenFile target, long targetPosition) throws IOException {
        UringFile to = (UringFile) target;
        try (Pipe pipe = Pipe.open()) {
            long total = 0;
            while (total < count) {
                int most = (int) Math.min(count - total, Pipe.CAPACITY);
                Splice in = new Splice(this, fd, position + total, pipe.entry(), Abi.NO_OFFSET, most);
                int waiting = perform("transfer from", in);
                if (waiting == 0) {
                    break;
                }
                while (waiting > 0) {
                    Splice out = new Splice(to, pipe.exit(), Abi.NO_OFFSET, to.fd, targetPosition + total, waiting);
                    int moved = out.performThrough(submitter);
                    if (moved <= 0) { // what is left in the pipe counts for nothing
                        return total > 0 ? total : to.check("transfer to", moved);
                    }
                    waiting -= moved;
                    total += moved;
                }
            }
            return total;
        }
    }

    @Override
    protected void force(boolean metadata) throws IOException {
        perform("sync", new Fsync(this, metadata));
    }

    @Override
    protected void reserve(long position, long length) throws IOException {
        perform("allocate", new Fallocate(this, position, length));
    }

    @Override
    protected void setSize(long size) throws IOException {
        if (resizes) {
            perform("resize", new Ftruncate(this, size));
        } else {
            check("resize", BlockingCall.make(submitter, "resize", this, () -> Libc.ftruncate(fd, size)));
        }
    }

    @Override
    protected FileStatus lookUp() throws IOException {
        Statx statx = new Statx(fd);
        try {
            perform("status", statx);
            return statx.status();
        } finally {
            statx.free();
        }
    }

    @Override
    protected void hint(long position, long length, Advice advice) throws IOException {
        perform("advise", new Fadvise(this, position, length, advice));
    }

    @Override
    protected void evict() {
        Error failure = null;
        for (Lane lane : lanes) {
            try {
                new CancelDescriptor(fd, lane).performUninterruptibly(submitter);
            } catch (Error e) { // no memory; there may be some for the others
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    protected void release() {
        Close.close(submitter, fd);
    }
}
