package io.skein.net;

import io.skein.Skein;
import io.skein.internal.io.Arrival;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.PacketSocket;
import io.skein.internal.io.Setting;
import io.skein.internal.linux.SocketAddresses;
import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.ref.Reference;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.ReadPendingException;
import java.nio.channels.WritePendingException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A UDP socket. One thread may receive while another sends; {@link #close} may come from anywhere.
 *
 * <p>{@link #receive} suspends a coroutine and blocks any other thread. A datagram is received as a whole or truncated, which
 * {@link Received} tells, and sent as a whole or not at all.
 */
public final class UdpSocket extends NetworkSocket {
    private final PacketSocket socket;
    private volatile long receiveTimeoutNanos = Deadline.NONE;
    private volatile long sendTimeoutNanos = Deadline.NONE;
    private volatile @Nullable InetSocketAddress peer;

    private UdpSocket(Scheduler scheduler, PacketSocket socket) {
        super(scheduler, socket);
        this.socket = socket;
    }

    @Override
    PacketSocket socket() {
        return socket;
    }

    /**
     * Binds, in the runtime of the calling coroutine. Port 0 takes a free one. The wildcard address of IPv6 stands for that of
     * IPv4 as well.
     *
     * @throws BindException if the address is in use or not this machine's
     * @throws IllegalStateException if the caller is not a coroutine
     */
    public static UdpSocket bind(InetSocketAddress address) throws IOException {
        return builder().bind(address);
    }

    /** Binds in the given runtime, from any thread. */
    public static UdpSocket bind(Skein skein, InetSocketAddress address) throws IOException {
        return builder().bind(skein, address);
    }

    /** Options for a socket that is to be made. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Waits for a datagram. An interrupted wait loses none.
     *
     * @return who sent it, how long it was, and whether there was room for all of it
     * @throws SocketException if the socket is closed
     * @throws SocketTimeoutException if none comes within the {@link #receiveTimeout}
     * @throws PortUnreachableException if the socket is connected and nobody listens there
     * @throws InterruptedIOException if the thread is interrupted; its interrupt status stays set
     * @throws ReadPendingException if another thread is receiving
     */
    public Received receive(ByteBuffer target) throws IOException {
        checkWritable(target);
        if (!scheduler.serves()) {
            return Caller.fromOutside(scheduler, "receive", () -> receive(target));
        }
        int room = target.remaining();
        try {
            return received(socket.receive(target, receiveTimeoutNanos), room);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Waits for a datagram and takes others that have come with it, if not always all: one into each target, in their order.
     *
     * @return what is known of each, at least of one, at most of as many as there are targets
     * @throws IOException as {@link #receive} does
     */
    public List<Received> receiveMany(ByteBuffer... targets) throws IOException {
        if (targets.length == 0) {
            throw new IllegalArgumentException("there must be a buffer to receive into");
        }
        int[] rooms = new int[targets.length];
        for (int i = 0; i < targets.length; i++) {
            checkWritable(targets[i]);
            rooms[i] = targets[i].remaining();
        }
        if (!scheduler.serves()) {
            return Caller.fromOutside(scheduler, "receive", () -> receiveMany(targets));
        }
        try {
            List<Arrival> arrivals = socket.receiveMany(targets, receiveTimeoutNanos);
            List<Received> all = new ArrayList<>(arrivals.size());
            for (Arrival arrival : arrivals) {
                all.add(received(arrival, rooms[all.size()]));
            }
            return all;
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private static Received received(Arrival arrival, int room) {
        return new Received(arrival.sender(), arrival.length(), arrival.length() > room);
    }

    private static void checkWritable(ByteBuffer target) {
        if (target.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
    }

    /**
     * Sends everything that remains in the source as one datagram.
     *
     * @throws SocketException if the socket is closed, or the datagram is too long
     * @throws SocketTimeoutException if the kernel has no room for it within the {@link #sendTimeout}; nothing was sent
     * @throws InterruptedIOException if the thread is interrupted; nothing was sent
     * @throws WritePendingException if another thread is sending
     */
    public void send(ByteBuffer source, InetSocketAddress target) throws IOException {
        if (scheduler.serves()) {
            try {
                socket.send(source, Caller.resolved(scheduler, target), sendTimeoutNanos);
            } finally {
                Reference.reachabilityFence(this);
            }
        } else {
            Caller.runFromOutside(scheduler, "send", () -> send(source, target));
        }
    }

    /**
     * As {@link #send(ByteBuffer, InetSocketAddress)}, to the peer that the socket is connected to.
     *
     * @throws PortUnreachableException if it is known that nobody listens there
     */
    public void send(ByteBuffer source) throws IOException {
        checkConnected();
        if (scheduler.serves()) {
            try {
                socket.send(source, null, sendTimeoutNanos);
            } finally {
                Reference.reachabilityFence(this);
            }
        } else {
            Caller.runFromOutside(scheduler, "send", () -> send(source));
        }
    }

    /**
     * Sends several datagrams, in their order, with few calls of the kernel. Where one fails, the others' positions say whether
     * they were sent.
     *
     * @throws IOException as {@link #send(ByteBuffer, InetSocketAddress)} does, for the first that fails
     */
    public void sendAll(List<Datagram> datagrams) throws IOException {
        if (!scheduler.serves()) {
            Caller.runFromOutside(scheduler, "send", () -> sendAll(datagrams));
            return;
        }
        ByteBuffer[] sources = new ByteBuffer[datagrams.size()];
        @Nullable InetSocketAddress[] targets = new InetSocketAddress[datagrams.size()];
        for (int i = 0; i < sources.length; i++) {
            Datagram datagram = datagrams.get(i);
            InetSocketAddress target = datagram.target();
            if (target == null) {
                checkConnected();
            }
            sources[i] = datagram.bytes();
            targets[i] = target == null ? null : Caller.resolved(scheduler, target);
        }
        try {
            socket.sendAll(sources, targets, sendTimeoutNanos);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private void checkConnected() throws SocketException {
        if (peer == null) {
            throw new SocketException("send " + this + ": not connected, and no target is given");
        }
    }

    /** Sends to, and receives from, that address only, until {@link #disconnect}. */
    public void connect(InetSocketAddress address) throws IOException {
        if (scheduler.serves()) {
            InetSocketAddress resolved = Caller.resolved(scheduler, address);
            socket.connect(resolved);
            peer = resolved;
        } else {
            Caller.runFromOutside(scheduler, "connect", () -> connect(address));
        }
    }

    /** Receives from anybody again. */
    public void disconnect() throws IOException {
        socket.disconnect();
        peer = null;
    }

    /** The address that the socket is connected to, or null. */
    public @Nullable InetSocketAddress remoteAddress() {
        return peer;
    }

    /** Receives what is sent to a multicast group, through that interface of this machine. */
    public void join(InetAddress group, NetworkInterface through) throws IOException {
        checkMulticast(group);
        try {
            socket.join(group, through);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Takes a {@link #join} back. */
    public void leave(InetAddress group, NetworkInterface through) throws IOException {
        checkMulticast(group);
        try {
            socket.leave(group, through);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private static void checkMulticast(InetAddress group) {
        if (!group.isMulticastAddress()) {
            throw new IllegalArgumentException(group.getHostAddress() + " is no multicast address");
        }
    }

    /** How long each receive from now on waits; null or zero for ever, which is the default. */
    public void receiveTimeout(@Nullable Duration timeout) {
        receiveTimeoutNanos = Deadline.timeout(timeout);
    }

    public Duration receiveTimeout() {
        return Duration.ofNanos(receiveTimeoutNanos);
    }

    /** How long each send from now on waits for room in the kernel; null or zero for ever, which is the default. */
    public void sendTimeout(@Nullable Duration timeout) {
        sendTimeoutNanos = Deadline.timeout(timeout);
    }

    public Duration sendTimeout() {
        return Duration.ofNanos(sendTimeoutNanos);
    }

    /** The address it is bound to, with the real port. */
    @Override
    public InetSocketAddress localAddress() {
        return socket.localAddress();
    }

    @Override
    public String toString() {
        return "UdpSocket[" + SocketAddresses.text(localAddress()) + "]";
    }

    /** Options of a socket. Not safe for use by several threads. */
    public static final class Builder {
        private final List<Setting<?>> settings = new ArrayList<>();

        private Builder() {}

        /** An option to set before binding. */
        public <T> Builder option(SocketOption<T> option, T value) {
            settings.add(new Setting<>(option, value));
            return this;
        }

        /** Binds as {@link UdpSocket#bind(InetSocketAddress)} does. */
        public UdpSocket bind(InetSocketAddress address) throws IOException {
            return bind(Caller.here(), address);
        }

        /** Binds in the given runtime, from any thread. */
        public UdpSocket bind(Skein skein, InetSocketAddress address) throws IOException {
            return bind(Caller.of(skein), address);
        }

        private UdpSocket bind(Scheduler scheduler, InetSocketAddress address) throws IOException {
            if (!scheduler.serves()) {
                return Caller.openFromOutside(scheduler, "bind", () -> bind(scheduler, address));
            }
            InetSocketAddress resolved = Caller.resolved(scheduler, address);
            return new UdpSocket(
                    scheduler, scheduler.backend().bindPackets(scheduler, resolved, List.copyOf(settings)));
        }
    }
}
