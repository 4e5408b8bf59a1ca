package io.skein.internal.io.nio;

import io.skein.internal.io.Arrival;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.PacketSocket;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A channel for datagrams. One thread may receive while another sends; close may come from anywhere. */
final class NioPackets extends NioSocket<DatagramChannel> implements PacketSocket {
    /** No datagram is longer. */
    private static final int LONGEST = 64 * 1024;

    /** A group that was joined through an interface. */
    private record Group(InetAddress address, NetworkInterface through) {}

    private final Map<Group, MembershipKey> memberships = new ConcurrentHashMap<>();
    private final Exchange receiving;
    private final Exchange sending;
    private volatile InetSocketAddress localAddress;

    /** Where a datagram goes first, so that its length is known. Made when it is first needed, by who receives. */
    private @Nullable ByteBuffer incoming;

    /** Receives or sends one datagram: whichever the readiness says. */
    private final class Exchange extends NioOperation {
        private @Nullable ByteBuffer buffer;
        private @Nullable SocketAddress peer;
        private boolean waits;

        Exchange(int interest) {
            super(channel, interest);
        }

        int perform(ByteBuffer bytes, @Nullable InetSocketAddress target, boolean mayWait, long deadline) {
            buffer = bytes;
            peer = target;
            waits = mayWait;
            try {
                return perform(submitter, deadline);
            } finally {
                buffer = null;
            }
        }

        @Override
        int attempt() throws IOException {
            ByteBuffer bytes = buffer;
            if (bytes == null) {
                throw new IllegalStateException("nobody receives or sends");
            }
            if (interest() == SelectionKey.OP_READ) {
                peer = channel.receive(bytes);
                return peer != null ? 0 : waits ? NOT_READY : -Errno.EAGAIN.number();
            }
            boolean empty = !bytes.hasRemaining();
            int sent = peer == null ? channel.write(bytes) : channel.send(bytes, peer);
            return sent == 0 && !empty ? NOT_READY : 0;
        }

        @Override
        boolean abandoned() {
            return isClosed();
        }
    }

    NioPackets(NioBackend backend, Submitter submitter, DatagramChannel channel) throws IOException {
        super(backend, submitter, channel);
        this.localAddress = (InetSocketAddress) channel.getLocalAddress();
        this.receiving = new Exchange(SelectionKey.OP_READ);
        this.sending = new Exchange(SelectionKey.OP_WRITE);
        opened();
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
        ByteBuffer whole = whole();
        int result = receiving.perform(whole, null, true, Deadline.after(timeoutNanos));
        if (result < 0) {
            throw exception(receiving, "receive", this, result, timeoutNanos);
        }
        return arrived(whole, target);
    }

    private ByteBuffer whole() {
        ByteBuffer known = incoming;
        if (known == null) {
            known = ByteBuffer.allocateDirect(LONGEST);
            incoming = known;
        }
        return known.clear();
    }

    private Arrival arrived(ByteBuffer whole, ByteBuffer target) {
        int length = whole.flip().remaining();
        target.put(whole.limit(Math.min(length, target.remaining())));
        if (receiving.peer instanceof InetSocketAddress sender) {
            return new Arrival(sender, length);
        }
        throw new IllegalStateException("a datagram without a sender");
    }

    @Override
    public List<Arrival> receiveMany(ByteBuffer[] targets, long timeoutNanos) throws IOException {
        enterRead("receive", this);
        try {
            List<Arrival> arrivals = new ArrayList<>();
            arrivals.add(receiveOne(targets[0], timeoutNanos));
            while (arrivals.size() < targets.length) {
                ByteBuffer whole = whole();
                if (receiving.perform(whole, null, false, Deadline.NONE) < 0) {
                    break; // what it was will be told to who waits next
                }
                arrivals.add(arrived(whole, targets[arrivals.size()]));
            }
            return arrivals;
        } finally {
            leaveRead();
        }
    }

    @Override
    public void send(ByteBuffer source, @Nullable InetSocketAddress target, long timeoutNanos) throws IOException {
        enterWrite("send", this);
        try {
            sendOne(source, target, Deadline.after(timeoutNanos), timeoutNanos);
        } finally {
            leaveWrite();
        }
    }

    private void sendOne(ByteBuffer source, @Nullable InetSocketAddress target, long deadline, long timeoutNanos)
            throws IOException {
        int result = sending.perform(source, target, true, deadline);
        if (sending.mayNotUse(result)) {
            ByteBuffer copy = ByteBuffer.allocate(source.remaining());
            result = sending.perform(copy.put(source.duplicate()).flip(), target, true, deadline);
            source.position(result < 0 ? source.position() : source.limit());
        }
        if (result < 0) {
            Object subject = target == null ? this : SocketAddresses.text(target);
            throw exception(sending, "send", subject, result, timeoutNanos);
        }
    }

    @Override
    public void sendAll(ByteBuffer[] sources, @Nullable InetSocketAddress[] targets, long timeoutNanos)
            throws IOException {
        enterWrite("send", this);
        try {
            long deadline = Deadline.after(timeoutNanos);
            for (int i = 0; i < sources.length; i++) {
                sendOne(sources[i], targets[i], deadline, timeoutNanos);
            }
        } finally {
            leaveWrite();
        }
    }

    @Override
    public void connect(InetSocketAddress peer) throws IOException {
        call("connect", () -> {
            channel.connect(peer);
            localAddress = (InetSocketAddress) channel.getLocalAddress();
        });
    }

    @Override
    public void disconnect() throws IOException {
        call("disconnect", () -> {
            channel.disconnect();
            localAddress = (InetSocketAddress) channel.getLocalAddress();
        });
    }

    @Override
    public void join(InetAddress group, NetworkInterface through) throws IOException {
        MembershipKey[] key = new MembershipKey[1];
        call("join", () -> key[0] = channel.join(group, through));
        memberships.put(new Group(group, through), key[0]);
    }

    @Override
    public void leave(InetAddress group, NetworkInterface through) throws IOException {
        MembershipKey key = memberships.remove(new Group(group, through));
        if (key == null) {
            throw Errno.exception(
                    "leave", group.getHostAddress() + " on " + through.getName(), Errno.EADDRNOTAVAIL.number());
        }
        call("leave", key::drop);
    }

    @Override
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    @Override
    protected void evictReader() {
        receiving.cancelFromOutside();
    }

    @Override
    protected void evict() {
        receiving.cancelFromOutside();
        sending.cancelFromOutside();
    }

    @Override
    protected void release() {
        super.release();
        receiving.forgetDeadline();
        sending.forgetDeadline();
    }

    @Override
    public String toString() {
        return SocketAddresses.text(localAddress);
    }
}
