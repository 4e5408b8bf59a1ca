package io.skein.internal.io.uring;

import io.skein.internal.io.Deadline;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connected socket on a ring.
 *
 * <p>One reader and one writer at a time, close from anywhere. Each side has
 * one operation that it uses again and again, so a read or write allocates nothing.
 */
final class UringStream extends UringSocket implements StreamSocket {
    /** How a stream is read. */
    private enum Mode {
        UNDECIDED,
        INFLOW,
        RECEIVES
    }

    private final SocketAddress remoteAddress;
    private final Recv recv;
    private final Send send;
    private final Inflow inflow;
    private final Take take;

    /** Made when it is first needed, by the writer. */
    private @Nullable Gather gather;

    /** Touched by the reader only. */
    private Mode mode = Mode.UNDECIDED;

    private volatile boolean inputShut;

    private final BufferAddress targetAddress = new BufferAddress();
    private final BufferAddress sourceAddress = new BufferAddress();

    UringStream(UringBackend backend, Submitter submitter, int fd, SocketAddress local, SocketAddress remote) {
        super(backend, submitter, fd, local, KernelOption.of(local));
        this.remoteAddress = remote;
        this.recv = new Recv(fd, backend.receiveHints());
        this.send = new Send(fd);
        this.inflow = new Inflow(fd);
        this.take = new Take(fd, inflow, backend.buffers());
        opened();
    }

    @Override
    public int read(ByteBuffer target, long timeoutNanos) throws IOException {
        enterRead("read", this);
        try {
            if (!target.hasRemaining()) {
                return 0;
            }
            return inputShut ? -1 : count(receive(target, Deadline.after(timeoutNanos)), timeoutNanos);
        } finally {
            leaveRead();
        }
    }

    /** Goes on to the next buffer when the last is full and more is there. */
    @Override
    public long read(ByteBuffer[] targets, long timeoutNanos) throws IOException {
        enterRead("read", this);
        try {
            long deadline = Deadline.after(timeoutNanos);
            long total = 0;
            for (ByteBuffer target : targets) {
                if (!target.hasRemaining()) {
                    continue;
                }
                if (inputShut) {
                    return total > 0 ? total : -1;
                }
                int result = receive(target, deadline);
                if (result <= 0) {
                    return total > 0 ? total : count(result, timeoutNanos);
                }
                total += result;
                if (target.hasRemaining() || !(mode == Mode.INFLOW ? take.leftSome() : recv.leftSome())) {
                    break;
                }
            }
            return total;
        } finally {
            leaveRead();
        }
    }

    /** What a read returns or throws. */
    private int count(int result, long timeoutNanos) throws IOException {
        if (result > 0) {
            return result;
        }
        if (!isClosed() && (result == 0 || inputShut)) {
            return -1;
        }
        throw exception("read", this, result, timeoutNanos);
    }

    /**
     * Reads by the inflow, or by receives of its own: the first read decides. Buffers larger than the driver's are a sign
     * of bulk, which is better received where it belongs than copied.
     */
    private int receive(ByteBuffer target, long deadline) {
        if (mode == Mode.UNDECIDED) {
            boolean byInflow = backend.inflows() && target.remaining() <= BufferRing.BUFFER_SIZE;
            mode = byInflow ? Mode.INFLOW : Mode.RECEIVES;
        }
        if (mode == Mode.INFLOW) {
            return take.perform(submitter, deadline, target);
        }
        return target.isDirect() ? readDirect(target, deadline) : readHeap(target, deadline);
    }

    private int readDirect(ByteBuffer target, long deadline) {
        long address = targetAddress.of(target);
        try {
            int count = recv.perform(submitter, deadline, address, target.remaining());
            if (count > 0) {
                target.position(target.position() + count);
            }
            return count;
        } finally {
            Reference.reachabilityFence(target); // until here the kernel may write to it
        }
    }

    private int readHeap(ByteBuffer target, long deadline) {
        Long buffer = backend.buffers().take();
        try {
            int room = Math.min(target.remaining(), NativeBuffers.SIZE);
            int count = recv.perform(submitter, deadline, buffer, room);
            if (count > 0) {
                Memory.copy(buffer, target.array(), target.arrayOffset() + target.position(), count);
                target.position(target.position() + count);
            }
            return count;
        } finally {
            backend.buffers().giveBack(buffer);
        }
    }

    @Override
    public void write(ByteBuffer source, long timeoutNanos) throws IOException {
        enterWrite("write", this);
        try {
            long deadline = Deadline.after(timeoutNanos);
            while (source.hasRemaining()) {
                int result = source.isDirect() ? writeDirect(source, deadline) : writeHeap(source, deadline);
                if (result > 0) {
                    source.position(source.position() + result);
                }
                checkWrite(result, source.hasRemaining(), deadline, timeoutNanos);
            }
        } finally {
            leaveWrite();
        }
    }

    @Override
    public void write(ByteBuffer[] sources, long timeoutNanos) throws IOException {
        enterWrite("write", this);
        try {
            Gather gathering = gather;
            if (gathering == null) {
                gathering = new Gather(fd);
                gather = gathering;
            }
            long deadline = Deadline.after(timeoutNanos);
            while (hasRemaining(sources)) {
                int result;
                try {
                    result = gathering.perform(submitter, deadline, sources, backend.buffers());
                } finally {
                    Reference.reachabilityFence(sources); // until here the kernel may read from them
                }
                checkWrite(result, hasRemaining(sources), deadline, timeoutNanos);
            }
        } finally {
            leaveWrite();
        }
    }

    private static boolean hasRemaining(ByteBuffer[] sources) {
        for (ByteBuffer source : sources) {
            if (source.hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    private void checkWrite(int result, boolean moreToDo, long deadline, long timeoutNanos) throws IOException {
        if (result < 0) {
            throw exception("write", this, result, timeoutNanos);
        }
        if (moreToDo && Deadline.isPassed(deadline)) {
            throw Deadline.exception("write", this, timeoutNanos);
        }
    }

    private int writeDirect(ByteBuffer source, long deadline) {
        long address = sourceAddress.of(source);
        try {
            return send.perform(submitter, deadline, address, source.remaining());
        } finally {
            Reference.reachabilityFence(source); // until here the kernel may read from it
        }
    }

    private int writeHeap(ByteBuffer source, long deadline) {
        Long buffer = backend.buffers().take();
        try {
            int length = Math.min(source.remaining(), NativeBuffers.SIZE);
            Iovec.copy(source, buffer, length);
            return send.perform(submitter, deadline, buffer, length);
        } finally {
            backend.buffers().giveBack(buffer);
        }
    }

    /** The kernel would still deliver what comes later; the flag is what keeps it from readers. */
    @Override
    public void shutdownInput() throws IOException {
        inputShut = true;
        shutdown(Libc.SHUT_RD);
    }

    @Override
    public void shutdownOutput() throws IOException {
        enterWrite("shutdown", this);
        try {
            shutdown(Libc.SHUT_WR);
        } finally {
            leaveWrite();
        }
    }

    @Override
    public SocketAddress remoteAddress() {
        return remoteAddress;
    }

    /** Ends the receive and the send that are in flight: the one sees the end of the stream, the other an error. */
    @Override
    protected void evict() {
        Libc.shutdown(fd, Libc.SHUT_RDWR);
    }

    @Override
    protected void release() {
        Close.close(submitter, fd, inflow, take.home());
        recv.forgetDeadline();
        take.forgetDeadline();
        send.forgetDeadline();
        if (gather != null) {
            gather.forgetDeadline();
        }
    }

    @Override
    public String toString() {
        return SocketAddresses.text(remoteAddress);
    }
}
