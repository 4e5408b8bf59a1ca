package io.skein.internal.io.uring;

import io.skein.internal.io.Arrival;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.PacketSocket;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A socket for datagrams on a ring. One thread may receive while another sends; close may come from anywhere. */
final class UringPackets extends UringSocket implements PacketSocket {
    private final boolean ipv6;
    private final Message incoming;
    private final Message outgoing;
    private final PacketBatches batches;

    /** What was set last: the kernel does not tell. */
    private volatile @Nullable NetworkInterface multicastInterface;

    UringPackets(UringBackend backend, Submitter submitter, int fd, boolean ipv6) {
        super(backend, submitter, fd, SocketAddresses.local(fd));
        this.ipv6 = ipv6;
        this.batches = new PacketBatches(fd, ipv6, backend.buffers());
        Message receiving = new Message(fd, ipv6, Message.Direction.INCOMING);
        Message sending = null;
        try {
            sending = new Message(fd, ipv6, Message.Direction.OUTGOING);
            opened();
        } catch (Throwable e) { // no memory
            receiving.free();
            if (sending != null) {
                sending.free();
            }
            throw e;
        }
        this.incoming = receiving;
        this.outgoing = sending;
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return KernelOption.OF_UDP;
    }

    @Override
    public Arrival receive(ByteBuffer target, long timeoutNanos) throws IOException {
        enterRead("receive", this);
        try {
            return receiveOne(target, timeoutNanos);
        } finally {
            leaveRead();
        }
    }

    private Arrival receiveOne(ByteBuffer target, long timeoutNanos) throws IOException {
        long deadline = Deadline.after(timeoutNanos);
        int length = target.isDirect() ? receiveDirect(target, deadline) : receiveHeap(target, deadline);
        if (length < 0 || (length == 0 && isClosed())) {
            throw exception("receive", this, length, timeoutNanos);
        }
        target.position(target.position() + Math.min(length, target.remaining()));
        return new Arrival(incoming.peer(), length);
    }

    private int receiveDirect(ByteBuffer target, long deadline) {
        try {
            long address = MemorySegment.ofBuffer(target).address();
            return incoming.receive(submitter, deadline, address, target.remaining());
        } finally {
            Reference.reachabilityFence(target); // until here the kernel may write to it
        }
    }

    private int receiveHeap(ByteBuffer target, long deadline) {
        Long buffer = backend.buffers().take();
        try {
            int room = Math.min(target.remaining(), NativeBuffers.SIZE);
            int length = incoming.receive(submitter, deadline, buffer, room);
            if (length > 0) {
                Iovec.copy(buffer, target, Math.min(length, room));
            }
            return length;
        } finally {
            backend.buffers().giveBack(buffer);
        }
    }

    /** Takes what is there; only where nothing is, it waits for one. */
    @Override
    public List<Arrival> receiveMany(ByteBuffer[] targets, long timeoutNanos) throws IOException {
        enterRead("receive", this);
        try {
            List<Arrival> present = batches.receive(submitter, targets);
            if (!present.isEmpty()) {
                return present;
            }
            if (batches.refusal() < 0) {
                throw exception("receive", this, batches.refusal(), timeoutNanos);
            }
            return List.of(receiveOne(targets[0], timeoutNanos));
        } finally {
            leaveRead();
        }
    }

    @Override
    public void send(ByteBuffer source, @Nullable InetSocketAddress target, long timeoutNanos) throws IOException {
        enterWrite("send", this);
        try {
            long deadline = Deadline.after(timeoutNanos);
            int result = source.isDirect() ? sendDirect(source, target, deadline) : sendHeap(source, target, deadline);
            if (result < 0) {
                throw exception("send", subject(target), result, timeoutNanos);
            }
            source.position(source.limit());
        } finally {
            leaveWrite();
        }
    }

    private Object subject(@Nullable InetSocketAddress target) {
        return target == null ? this : SocketAddresses.text(target);
    }

    private int sendDirect(ByteBuffer source, @Nullable InetSocketAddress target, long deadline) {
        try {
            long address = MemorySegment.ofBuffer(source).address();
            return outgoing.send(submitter, deadline, address, source.remaining(), target);
        } finally {
            Reference.reachabilityFence(source); // until here the kernel may read from it
        }
    }

    /** A datagram is never longer than a buffer of the pool; the kernel says so of what is longer. */
    private int sendHeap(ByteBuffer source, @Nullable InetSocketAddress target, long deadline) {
        if (source.remaining() > NativeBuffers.SIZE) {
            return -Errno.EMSGSIZE.number();
        }
        Long buffer = backend.buffers().take();
        try {
            Iovec.copy(source, buffer, source.remaining());
            return outgoing.send(submitter, deadline, buffer, source.remaining(), target);
        } finally {
            backend.buffers().giveBack(buffer);
        }
    }

    @Override
    public void sendAll(ByteBuffer[] sources, @Nullable InetSocketAddress[] targets, long timeoutNanos)
            throws IOException {
        enterWrite("send", this);
        try {
            long deadline = Deadline.after(timeoutNanos);
            for (int first = 0; first < sources.length; first += MessageBatch.SIZE) {
                int count = Math.min(MessageBatch.SIZE, sources.length - first);
                int result = batches.send(submitter, deadline, sources, targets, first, count);
                if (result < 0) {
                    throw exception("send", subject(targets[batches.failed()]), result, timeoutNanos);
                }
            }
        } finally {
            leaveWrite();
        }
    }

    @Override
    public void connect(InetSocketAddress peer) throws IOException {
        long address = Libc.allocate(SocketAddresses.SIZE);
        try {
            int length = ipv6 ? SocketAddresses.encodeForIpv6(peer, address) : SocketAddresses.encode(peer, address);
            connect(SocketAddresses.text(peer), address, length);
        } finally {
            Libc.free(address);
        }
    }

    /** The kernel may take a port away that it has chosen itself; so it is bound again. */
    @Override
    public void disconnect() throws IOException {
        InetSocketAddress before = localAddress();
        long nowhere = Libc.allocate(SocketAddresses.SIZE); // all zero, which is no family
        try {
            connect("disconnect", nowhere, SocketAddresses.SIZE);
        } finally {
            Libc.free(nowhere);
        }
        if (localAddress().getPort() == 0) {
            enterBriefly("bind", this);
            try {
                UringBackend.bind(fd, new InetSocketAddress(localAddress().getAddress(), before.getPort()), ipv6);
                localAddress(SocketAddresses.local(fd));
            } finally {
                leaveBriefly();
            }
        }
    }

    private void connect(String subject, long address, int length) throws IOException {
        enterBriefly("connect", subject);
        try {
            int result = Libc.connect(fd, address, length);
            if (result < 0) {
                throw Errno.exception("connect", subject, -result);
            }
            localAddress(SocketAddresses.local(fd));
        } finally {
            leaveBriefly();
        }
    }

    @Override
    public void join(InetAddress group, NetworkInterface through) throws IOException {
        membership("join", Membership.JOIN, group, through);
    }

    @Override
    public void leave(InetAddress group, NetworkInterface through) throws IOException {
        membership("leave", Membership.LEAVE, group, through);
    }

    private void membership(String operation, Membership change, InetAddress group, NetworkInterface through)
            throws IOException {
        enterBriefly(operation, this);
        try {
            int result = change.make(fd, group, through.getIndex());
            if (result < 0) {
                throw Errno.exception(operation, group.getHostAddress() + " on " + through.getName(), -result);
            }
        } finally {
            leaveBriefly();
        }
    }

    @Override
    public <T> void setOption(SocketOption<T> option, T value) throws IOException {
        super.setOption(option, value);
        if (option == StandardSocketOptions.IP_MULTICAST_IF) {
            multicastInterface = (NetworkInterface) value;
        }
    }

    @Override
    @SuppressWarnings("NullAway") // an interface that was never set is null
    public <T> T getOption(SocketOption<T> option) throws IOException {
        return option == StandardSocketOptions.IP_MULTICAST_IF
                ? option.type().cast(multicastInterface)
                : super.getOption(option);
    }

    @Override
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) super.localAddress();
    }

    /** A socket that is not connected is woken by this, too, though the kernel calls it a mistake. */
    @Override
    protected void evictReader() {
        evict();
    }

    @Override
    protected void evict() {
        Libc.shutdownTersely(fd, Libc.SHUT_RDWR);
    }

    @Override
    protected void release() {
        Close.close(submitter, fd);
        incoming.free();
        outgoing.free();
        batches.free();
    }

    @Override
    public String toString() {
        return SocketAddresses.text(localAddress());
    }
}
