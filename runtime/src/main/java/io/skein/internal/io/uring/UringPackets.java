package io.skein.internal.io.uring;

import io.skein.internal.io.Gate;
import io.skein.internal.io.PacketSocket;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;

/** A socket for datagrams on a ring. Thread safety is the {@link Gate}'s. */
final class UringPackets extends Gate implements PacketSocket {
    private final UringBackend backend;
    private final Submitter submitter;
    private final int fd;
    private final InetSocketAddress localAddress;
    private final Message incoming;
    private final Message outgoing;

    UringPackets(UringBackend backend, Submitter submitter, int fd, InetSocketAddress localAddress) {
        super(backend.openSockets());
        this.backend = backend;
        this.submitter = submitter;
        this.fd = fd;
        this.localAddress = localAddress;
        this.incoming = new Message(fd, Abi.IORING_OP_RECVMSG);
        this.outgoing = new Message(fd, Abi.IORING_OP_SENDMSG);
        opened();
    }

    @Override
    public InetSocketAddress receive(ByteBuffer target) throws IOException {
        enterRead("receive", this);
        try {
            int result = target.isDirect() ? receiveDirect(target) : receiveHeap(target);
            if (result <= 0 && isClosed()) {
                throw new SocketException("receive " + this + ": closed by another thread");
            }
            if (result < 0) {
                throw Errno.exception("receive", this, -result);
            }
            target.position(target.position() + result);
            return incoming.peer();
        } finally {
            leaveRead();
        }
    }

    private int receiveDirect(ByteBuffer target) {
        try {
            return incoming.receive(submitter, MemorySegment.ofBuffer(target).address(), target.remaining());
        } finally {
            Reference.reachabilityFence(target); // until here the kernel may write to it
        }
    }

    private int receiveHeap(ByteBuffer target) {
        Long buffer = backend.buffers().take();
        try {
            int count = incoming.receive(submitter, buffer, Math.min(target.remaining(), NativeBuffers.SIZE));
            if (count > 0) {
                Iovec.copy(buffer, target, count);
            }
            return count;
        } finally {
            backend.buffers().giveBack(buffer);
        }
    }

    @Override
    public void send(ByteBuffer source, InetSocketAddress target) throws IOException {
        enterWrite("send", this);
        try {
            int result = source.isDirect() ? sendDirect(source, target) : sendHeap(source, target);
            if (result < 0) {
                throw isClosed()
                        ? new SocketException("send " + this + ": closed by another thread")
                        : Errno.exception("send", SocketAddresses.text(target), -result);
            }
            source.position(source.limit());
        } finally {
            leaveWrite();
        }
    }

    private int sendDirect(ByteBuffer source, InetSocketAddress target) {
        try {
            long address = MemorySegment.ofBuffer(source).address();
            return outgoing.send(submitter, address, source.remaining(), target);
        } finally {
            Reference.reachabilityFence(source); // until here the kernel may read from it
        }
    }

    /** A datagram is never longer than a buffer of the pool; the kernel says so of what is longer. */
    private int sendHeap(ByteBuffer source, InetSocketAddress target) {
        if (source.remaining() > NativeBuffers.SIZE) {
            return -Errno.EMSGSIZE.number();
        }
        Long buffer = backend.buffers().take();
        try {
            Iovec.copy(source, buffer, source.remaining());
            return outgoing.send(submitter, buffer, source.remaining(), target);
        } finally {
            backend.buffers().giveBack(buffer);
        }
    }

    @Override
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    /** A socket that is not connected is woken by this, too, though the kernel calls it a mistake. */
    @Override
    protected void evict() {
        Libc.shutdown(fd, Libc.SHUT_RDWR);
    }

    @Override
    protected void release() {
        Close.close(submitter, fd);
        incoming.free();
        outgoing.free();
    }

    @Override
    public String toString() {
        return SocketAddresses.text(localAddress);
    }
}
