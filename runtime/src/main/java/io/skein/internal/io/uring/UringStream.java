package io.skein.internal.io.uring;

import io.skein.internal.io.Gate;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;

/**
 * A connected socket on a ring.
 *
 * <p>Thread safety is the {@link Gate}'s: one reader and one writer at a time, close from anywhere. Each side has
 * one operation that it uses again and again, so a read or write allocates nothing.
 */
final class UringStream extends Gate implements StreamSocket {
    /** How a stream is read. */
    private enum Mode {
        UNDECIDED,
        INFLOW,
        RECEIVES
    }

    private final UringBackend backend;
    private final Submitter submitter;
    private final int fd;
    private final InetSocketAddress localAddress;
    private final InetSocketAddress remoteAddress;
    private final Recv recv;
    private final Send send;
    private final Inflow inflow;
    private final Take take;

    /** Touched by the reader only. */
    private Mode mode = Mode.UNDECIDED;

    private final BufferAddress targetAddress = new BufferAddress();
    private final BufferAddress sourceAddress = new BufferAddress();

    UringStream(UringBackend backend, Submitter submitter, int fd, InetSocketAddress local, InetSocketAddress remote) {
        super(backend.openSockets());
        this.backend = backend;
        this.submitter = submitter;
        this.fd = fd;
        this.localAddress = local;
        this.remoteAddress = remote;
        this.recv = new Recv(fd, backend.receiveHints());
        this.send = new Send(fd);
        this.inflow = new Inflow(fd);
        this.take = new Take(fd, inflow, backend.buffers());
        opened();
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        enterRead("read", this);
        try {
            if (!target.hasRemaining()) {
                return 0;
            }
            int result = receive(target);
            if (result > 0) {
                return result;
            }
            if (isClosed()) {
                throw closedDuring("read");
            }
            if (result == 0) {
                return -1;
            }
            throw Errno.exception("read", this, -result);
        } finally {
            leaveRead();
        }
    }

    /**
     * Reads by the inflow, or by receives of its own: the first read decides. Buffers larger than the driver's are a sign
     * of bulk, which is better received where it belongs than copied.
     */
    private int receive(ByteBuffer target) {
        if (mode == Mode.UNDECIDED) {
            boolean byInflow = backend.inflows() && target.remaining() <= BufferRing.BUFFER_SIZE;
            mode = byInflow ? Mode.INFLOW : Mode.RECEIVES;
        }
        if (mode == Mode.INFLOW) {
            return take.perform(submitter, target);
        }
        return target.isDirect() ? readDirect(target) : readHeap(target);
    }

    private int readDirect(ByteBuffer target) {
        long address = targetAddress.of(target);
        try {
            int count = recv.perform(submitter, address, target.remaining());
            if (count > 0) {
                target.position(target.position() + count);
            }
            return count;
        } finally {
            Reference.reachabilityFence(target); // until here the kernel may write to it
        }
    }

    private int readHeap(ByteBuffer target) {
        Long buffer = backend.buffers().take();
        try {
            int count = recv.perform(submitter, buffer, Math.min(target.remaining(), NativeBuffers.SIZE));
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
    public void write(ByteBuffer source) throws IOException {
        enterWrite("write", this);
        try {
            while (source.hasRemaining()) {
                int result = source.isDirect() ? writeDirect(source) : writeHeap(source);
                if (result < 0) {
                    throw isClosed() ? closedDuring("write") : Errno.exception("write", this, -result);
                }
                source.position(source.position() + result);
            }
        } finally {
            leaveWrite();
        }
    }

    private int writeDirect(ByteBuffer source) {
        long address = sourceAddress.of(source);
        try {
            return send.perform(submitter, address, source.remaining());
        } finally {
            Reference.reachabilityFence(source); // until here the kernel may read from it
        }
    }

    private int writeHeap(ByteBuffer source) {
        Long buffer = backend.buffers().take();
        try {
            int length = Math.min(source.remaining(), NativeBuffers.SIZE);
            if (source.hasArray()) {
                Memory.copy(source.array(), source.arrayOffset() + source.position(), buffer, length);
            } else { // read-only
                Memory.range(buffer, length)
                        .copyFrom(MemorySegment.ofBuffer(source).asSlice(0, length));
            }
            return send.perform(submitter, buffer, length);
        } finally {
            backend.buffers().giveBack(buffer);
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        enterWrite("shutdown", this);
        try {
            int result = Libc.shutdown(fd, Libc.SHUT_WR);
            if (result < 0 && !Errno.ENOTCONN.is(result)) {
                throw Errno.exception("shutdown", this, -result);
            }
        } finally {
            leaveWrite();
        }
    }

    @Override
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    @Override
    public InetSocketAddress remoteAddress() {
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
    }

    private SocketException closedDuring(String operation) {
        return new SocketException(operation + " " + this + ": closed by another thread");
    }

    @Override
    public String toString() {
        return SocketAddresses.text(remoteAddress);
    }
}
