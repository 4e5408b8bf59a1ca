package io.skein.internal.io.nio;

import io.skein.internal.Headroom;
import io.skein.internal.io.Backend;
import io.skein.internal.io.ConnectPlan;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.Driver;
import io.skein.internal.io.FileTree;
import io.skein.internal.io.LeasePool;
import io.skein.internal.io.ListenPlan;
import io.skein.internal.io.ListenerSocket;
import io.skein.internal.io.OpenSockets;
import io.skein.internal.io.PacketSocket;
import io.skein.internal.io.Setting;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.AbstractName;
import io.skein.internal.linux.FileNames;
import io.skein.internal.linux.SocketAddresses;
import io.skein.internal.loom.Loom;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Selectors for workers, and channels on them; files in the blocking pool. Any thread may call it. */
public final class NioBackend implements Backend {
    /** A call that needs no readiness. */
    static final class Immediate extends NioOperation {
        /** What it does. */
        @FunctionalInterface
        interface Call {
            void make() throws IOException;
        }

        private final Call call;

        Immediate(SelectableChannel channel, Call call) {
            super(channel, 0);
            this.call = call;
        }

        @Override
        int attempt() throws IOException {
            call.make();
            return 0;
        }

        @Override
        boolean abandoned() {
            return false;
        }
    }

    private static final class Connect extends NioOperation {
        private final SocketChannel channel;

        Connect(SocketChannel channel) {
            super(channel, SelectionKey.OP_CONNECT);
            this.channel = channel;
        }

        @Override
        int attempt() throws IOException {
            return channel.finishConnect() ? 0 : NOT_READY;
        }

        @Override
        boolean abandoned() {
            return false; // nobody else has the channel yet
        }
    }

    private final OpenSockets openSockets = new OpenSockets();
    private final LeasePool leases = new LeasePool();
    private final Waker waker = new Waker();
    private final List<NioDriver> drivers = new CopyOnWriteArrayList<>();

    @Override
    public Driver openDriver() throws IOException {
        Selector selector = Selector.open();
        try {
            NioDriver driver = new NioDriver(selector, waker, Loom.available());
            drivers.add(driver);
            return driver;
        } catch (Throwable e) { // no memory
            selector.close();
            throw e;
        }
    }

    OpenSockets openSockets() {
        return openSockets;
    }

    /**
     * Makes a call that does not wait. A coroutine has it made by its driver, for the locks that the JDK takes; it is
     * not interrupted.
     */
    void run(Submitter submitter, String operation, Object subject, SelectableChannel channel, Immediate.Call call)
            throws IOException {
        if (submitter.serves()) {
            Immediate immediate = new Immediate(channel, call);
            int result = immediate.performUninterruptibly(submitter);
            if (result < 0) {
                throw immediate.exception(operation, subject, result, Deadline.NONE);
            }
        } else {
            call.make();
        }
    }

    /**
     * Closes a channel. Its descriptor goes when the drivers that know it have looked again, which is waited for: the
     * address is to be free afterwards.
     */
    void close(Submitter submitter, SelectableChannel channel) {
        List<NioDriver.Look> looks = new ArrayList<>();
        try {
            run(submitter, "close", channel, channel, () -> {
                List<NioDriver> knowing =
                        drivers.stream().filter(driver -> driver.knows(channel)).toList();
                channel.close();
                knowing.forEach(driver -> looks.add(driver.nextLook()));
            });
            while (submitter.serves() && !looks.stream().allMatch(NioDriver.Look::isOver)) {
                run(submitter, "close", channel, channel, () -> looks.forEach(NioDriver.Look::hasten));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public ListenerSocket listen(Submitter submitter, ListenPlan plan) throws IOException {
        Headroom.toBegin(); // who opens can close, too
        SocketAddress address = plan.address();
        ServerSocketChannel channel = openListener(submitter, plan);
        try {
            channel.configureBlocking(false);
            if (!(address instanceof InetSocketAddress)) {
                set(channel, plan.settings());
                if (!(address instanceof AbstractName)) { // else it is bound
                    channel.bind(address, plan.backlog());
                }
                SocketAddress here = address instanceof AbstractName ? address : channel.getLocalAddress();
                return new NioListener(this, submitter, channel, here, -1);
            }
            int trafficClass = NioListener.trafficClass(plan.settings());
            set(
                    channel,
                    plan.settings().stream()
                            .filter(setting -> setting.option() != StandardSocketOptions.IP_TOS)
                            .toList());
            channel.bind(address, plan.backlog());
            return new NioListener(this, submitter, channel, channel.getLocalAddress(), trafficClass);
        } catch (IOException e) {
            channel.close();
            throw NioFailures.exception("bind", SocketAddresses.text(address), e);
        } catch (RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    /** A channel without a family is of both; the JDK has none that is of IPv6 alone. */
    private static ServerSocketChannel openListener(Submitter submitter, ListenPlan plan) throws IOException {
        if (plan.address() instanceof AbstractName name) {
            return LinuxSockets.listen(submitter, name, plan.backlog());
        }
        if (!(plan.address() instanceof InetSocketAddress internet)) {
            if (!FileNames.haveAllTexts()) {
                LinuxSockets.prepare(submitter);
            }
            return ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        }
        boolean wildcard = internet.getAddress().isAnyLocalAddress();
        if (!wildcard || plan.dualStack()) {
            return ServerSocketChannel.open();
        }
        if (internet.getAddress() instanceof Inet6Address) {
            throw new UnsupportedOperationException("the nio driver cannot listen on IPv6 alone");
        }
        return ServerSocketChannel.open(StandardProtocolFamily.INET);
    }

    private static void set(NetworkChannel channel, List<Setting<?>> settings) throws IOException {
        for (Setting<?> setting : settings) {
            set(channel, setting);
        }
    }

    private static <T> void set(NetworkChannel channel, Setting<T> setting) throws IOException {
        NioSocket.set(channel, setting.option(), setting.value());
    }

    @Override
    public StreamSocket connect(Submitter submitter, ConnectPlan plan) throws IOException {
        Headroom.toBegin();
        SocketAddress address = plan.address();
        SocketChannel channel = openStream(submitter, plan);
        try {
            channel.configureBlocking(false);
            if (address instanceof InetSocketAddress) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            set(channel, plan.settings());
            SocketAddress local = plan.local();
            if (local != null) {
                bind(channel, local);
            }
            connect(submitter, channel, plan);
            return new NioStream(this, submitter, channel, channel.getLocalAddress(), channel.getRemoteAddress());
        } catch (IOException | RuntimeException | Error e) {
            closeUnused(submitter, channel);
            throw e;
        }
    }

    /** Closes a channel that nobody else knows, when something has failed: if need be, by the caller itself. */
    private void closeUnused(Submitter submitter, SocketChannel channel) throws IOException {
        try {
            close(submitter, channel);
        } catch (RuntimeException | Error e) { // no memory, here or on the driver's thread
            channel.close();
        }
    }

    /** A channel for a plan, connected already if it is to an abstract name. */
    private static SocketChannel openStream(Submitter submitter, ConnectPlan plan) throws IOException {
        return switch (plan.address()) {
            case AbstractName name -> LinuxSockets.connect(submitter, name, plan.timeoutNanos());
            case InetSocketAddress _ -> SocketChannel.open();
            default -> SocketChannel.open(StandardProtocolFamily.UNIX);
        };
    }

    private static void bind(SocketChannel channel, SocketAddress local) throws IOException {
        try {
            channel.bind(local);
        } catch (IOException e) {
            throw NioFailures.exception("bind", SocketAddresses.text(local), e);
        }
    }

    private static void connect(Submitter submitter, SocketChannel channel, ConnectPlan plan) throws IOException {
        String subject = SocketAddresses.text(plan.address());
        Connect connect = new Connect(channel);
        int result;
        try {
            boolean connected = channel.isConnected() || channel.connect(plan.address());
            result = connected ? 0 : connect.perform(submitter, Deadline.after(plan.timeoutNanos()));
        } catch (IOException e) {
            throw NioFailures.exception("connect", subject, e);
        } finally {
            connect.forgetDeadline();
        }
        if (result < 0) {
            throw connect.exception("connect", subject, result, plan.timeoutNanos());
        }
    }

    @Override
    public PacketSocket bindPackets(Submitter submitter, InetSocketAddress address, List<Setting<?>> settings)
            throws IOException {
        Headroom.toBegin();
        boolean six = address.getAddress() instanceof Inet6Address;
        DatagramChannel channel =
                DatagramChannel.open(six ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
        try {
            channel.configureBlocking(false);
            set(channel, settings);
            channel.bind(address);
            return new NioPackets(this, submitter, channel);
        } catch (IOException e) {
            channel.close();
            throw NioFailures.exception("bind", SocketAddresses.text(address), e);
        } catch (RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public LeasePool leases() {
        return leases;
    }

    @Override
    public FileTree files(Submitter submitter) {
        return new NioFileTree(openSockets, submitter);
    }

    /**
     * A stream over a channel that was accepted at a listener with that address. If this fails, the channel is closed.
     *
     * @param bySystemCall whether it was accepted by {@link LinuxSockets}
     */
    NioStream stream(Submitter submitter, SocketChannel channel, SocketAddress listener, boolean bySystemCall)
            throws IOException {
        try {
            channel.configureBlocking(false);
            if (bySystemCall) {
                return new NioStream(this, submitter, channel, listener, LinuxSockets.peer(channel));
            }
            if (listener instanceof InetSocketAddress) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            return new NioStream(this, submitter, channel, channel.getLocalAddress(), channel.getRemoteAddress());
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public String describe() {
        return "nio (selectors)";
    }

    @Override
    public void close() {
        openSockets.closeAll();
        waker.stop();
    }
}
