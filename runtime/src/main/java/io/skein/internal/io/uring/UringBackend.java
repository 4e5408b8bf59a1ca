package io.skein.internal.io.uring;

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
import io.skein.internal.io.nio.NioFileTree;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.List;
import java.util.Set;

/** Rings for workers, and sockets and files on them. Any thread may call it. */
public final class UringBackend implements Backend {
    private static final int COMPLETIONS_PER_ENTRY = 8;

    private final int entries;
    private final UringProbe probe;
    private final NativeBuffers buffers;
    private final OpenSockets openSockets = new OpenSockets();
    private final LeasePool leases = new LeasePool();

    /**
     * Makes a backend, having tried a real ring.
     *
     * @param entries the size of each worker's submission queue
     * @throws IOException saying why io_uring cannot be had
     */
    public static UringBackend open(int entries) throws IOException {
        return open(entries, KernelFeature.REGISTERED_BUFFERS.isWanted());
    }

    /** As the other; says whether files are to use memory that the kernel knows, where it grants that. */
    static UringBackend open(int entries, boolean registeredBuffers) throws IOException {
        return new UringBackend(entries, UringProbe.run(), registeredBuffers);
    }

    /** A backend that uses what a probe says that the kernel has, and no more. */
    UringBackend(int entries, UringProbe probe, boolean registeredBuffers) {
        this.entries = entries;
        this.probe = probe;
        this.buffers = new NativeBuffers(registeredBuffers);
    }

    @Override
    public Driver openDriver() throws IOException {
        int receiveBuffers = probe.inflows() ? BufferRing.COUNT : 0;
        return new UringDriver(entries, entries * COMPLETIONS_PER_ENTRY, receiveBuffers);
    }

    @Override
    public ListenerSocket listen(Submitter submitter, ListenPlan plan) throws IOException {
        Headroom.toBegin(); // who opens can close, too
        SocketAddress address = plan.address();
        boolean dual = plan.dualStack()
                && address instanceof InetSocketAddress internet
                && internet.getAddress().isAnyLocalAddress();
        int fd = dual ? Libc.socket(Libc.AF_INET6, Libc.SOCK_STREAM | Libc.SOCK_CLOEXEC, 0) : -1;
        boolean ipv6 = fd >= 0 || SocketAddresses.family(address) == Libc.AF_INET6;
        fd = fd >= 0 ? withoutDelay(fd) : socket(address, "bind");
        try {
            if (ipv6) {
                check("bind", address, Libc.setIntOption(fd, Libc.IPPROTO_IPV6, Libc.IPV6_V6ONLY, dual ? 0 : 1));
            }
            set(fd, ipv6, plan.settings(), KernelOption.of(address));
            check("bind", address, bind(fd, address, ipv6));
            check("listen", address, Libc.listen(fd, plan.backlog()));
            boolean lingers = lingers(plan.settings());
            UringListener listener = new UringListener(this, submitter, fd, SocketAddresses.local(fd));
            if (lingers) {
                listener.lingering();
            }
            return listener;
        } catch (IOException | RuntimeException | Error e) {
            Libc.close(fd);
            throw e;
        }
    }

    private static void set(int fd, boolean ipv6, List<Setting<?>> settings, Set<SocketOption<?>> supported)
            throws IOException {
        for (Setting<?> setting : settings) {
            KernelOption.set(fd, ipv6, supported, setting.option(), setting.value());
        }
    }

    private static boolean lingers(List<Setting<?>> settings) {
        for (Setting<?> setting : settings) {
            if (setting.option() == StandardSocketOptions.SO_LINGER) {
                return true;
            }
        }
        return false;
    }

    static int bind(int fd, SocketAddress address, boolean ipv6) {
        long buffer = Libc.allocate(SocketAddresses.SIZE);
        try {
            int length = ipv6 && address instanceof InetSocketAddress internet
                    ? SocketAddresses.encodeForIpv6(internet, buffer)
                    : SocketAddresses.encode(address, buffer);
            return Libc.bind(fd, buffer, length);
        } finally {
            Libc.free(buffer);
        }
    }

    @Override
    public StreamSocket connect(Submitter submitter, ConnectPlan plan) throws IOException {
        Headroom.toBegin();
        SocketAddress address = plan.address();
        boolean ipv6 = SocketAddresses.family(address) == Libc.AF_INET6;
        int fd = socket(address, "connect");
        try {
            set(fd, ipv6, plan.settings(), KernelOption.of(address));
            SocketAddress local = plan.local();
            if (local != null) {
                check("bind", local, bind(fd, local, ipv6));
            }
            connect(submitter, fd, plan);
            boolean lingers = lingers(plan.settings());
            UringStream stream = new UringStream(this, submitter, fd, SocketAddresses.local(fd), address);
            if (lingers) {
                stream.lingering();
            }
            return stream;
        } catch (IOException | RuntimeException | Error e) {
            Close.closeUnused(submitter, fd);
            throw e;
        }
    }

    private static void connect(Submitter submitter, int fd, ConnectPlan plan) throws IOException {
        Connect connect = new Connect(fd, plan.address());
        try {
            int result = connect.perform(submitter, Deadline.after(plan.timeoutNanos()));
            if (Errno.ETIME.is(result)) {
                throw Deadline.exception("connect", SocketAddresses.text(plan.address()), plan.timeoutNanos());
            }
            // A connect that blocks a thread of the kernel, at the full backlog of a Unix socket, is cancelled by a
            // signal.
            boolean cancelled =
                    Errno.isBrokenOff(result) && Thread.currentThread().isInterrupted();
            check("connect", plan.address(), cancelled ? -Errno.ECANCELED.number() : result);
        } finally {
            connect.free();
        }
    }

    @Override
    public PacketSocket bindPackets(Submitter submitter, InetSocketAddress address, List<Setting<?>> settings)
            throws IOException {
        Headroom.toBegin();
        int fd = Libc.socket(SocketAddresses.family(address), Libc.SOCK_DGRAM | Libc.SOCK_CLOEXEC, 0);
        check("bind", address, fd);
        try {
            boolean ipv6 = SocketAddresses.family(address) == Libc.AF_INET6;
            set(fd, ipv6, settings, KernelOption.OF_UDP);
            check("bind", address, bind(fd, address, ipv6));
            return new UringPackets(this, submitter, fd, ipv6);
        } catch (IOException | RuntimeException | Error e) {
            Libc.close(fd);
            throw e;
        }
    }

    @Override
    public LeasePool leases() {
        return leases;
    }

    @Override
    public FileTree files(Submitter submitter) {
        return UringFileTree.isPossible(probe)
                ? new UringFileTree(this, submitter, probe)
                : new NioFileTree(openSockets, submitter);
    }

    /** A stream socket without delay; a listener hands that option on to what it accepts. */
    private static int socket(SocketAddress address, String operation) throws IOException {
        int fd = Libc.socket(SocketAddresses.family(address), Libc.SOCK_STREAM | Libc.SOCK_CLOEXEC, 0);
        check(operation, address, fd);
        return address instanceof InetSocketAddress ? withoutDelay(fd) : fd;
    }

    private static int withoutDelay(int fd) {
        try {
            Libc.setIntOption(fd, Libc.IPPROTO_TCP, Libc.TCP_NODELAY, 1);
            return fd;
        } catch (Throwable e) { // no memory; the caller does not have the descriptor yet
            Libc.close(fd);
            throw e;
        }
    }

    private static void check(String operation, SocketAddress address, int result) throws IOException {
        if (result < 0) {
            throw Errno.exception(operation, SocketAddresses.text(address), -result);
        }
    }

    OpenSockets openSockets() {
        return openSockets;
    }

    NativeBuffers buffers() {
        return buffers;
    }

    boolean standingAccepts() {
        return probe.standingAccepts();
    }

    boolean inflows() {
        return probe.inflows();
    }

    boolean wholeSends() {
        return probe.wholeSends();
    }

    boolean receiveHints() {
        return probe.receiveHints();
    }

    @Override
    public String describe() {
        return "io_uring (" + String.join(" ", probe.setupFlags()) + ")";
    }

    @Override
    public void close() {
        openSockets.closeAll();
        buffers.close();
    }
}
