package io.skein.internal.io.uring;

import io.skein.internal.io.Backend;
import io.skein.internal.io.Driver;
import io.skein.internal.io.FileTree;
import io.skein.internal.io.ListenerSocket;
import io.skein.internal.io.OpenSockets;
import io.skein.internal.io.PacketSocket;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.io.Submitter;
import io.skein.internal.io.nio.NioFileTree;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Rings for workers, and sockets and files on them. Any thread may call it. */
public final class UringBackend implements Backend {
    private static final int COMPLETIONS_PER_ENTRY = 8;

    private final int entries;
    private final UringProbe probe;
    private final NativeBuffers buffers = new NativeBuffers();
    private final OpenSockets openSockets = new OpenSockets();

    /**
     * Makes a backend, having tried a real ring.
     *
     * @param entries the size of each worker's submission queue
     * @throws IOException saying why io_uring cannot be had
     */
    public static UringBackend open(int entries) throws IOException {
        return new UringBackend(entries, UringProbe.run());
    }

    private UringBackend(int entries, UringProbe probe) {
        this.entries = entries;
        this.probe = probe;
    }

    @Override
    public Driver openDriver() throws IOException {
        return new UringDriver(entries, entries * COMPLETIONS_PER_ENTRY, probe.inflows());
    }

    @Override
    public ListenerSocket listen(Submitter submitter, InetSocketAddress address, int backlog) throws IOException {
        int fd = socket(address, "bind");
        try {
            check("bind", address, Libc.setIntOption(fd, Libc.SOL_SOCKET, Libc.SO_REUSEADDR, 1));
            check("bind", address, bind(fd, address));
            check("listen", address, Libc.listen(fd, backlog));
            return new UringListener(this, submitter, fd, localAddress(fd));
        } catch (IOException | RuntimeException | Error e) {
            Libc.close(fd);
            throw e;
        }
    }

    private static int bind(int fd, InetSocketAddress address) {
        long buffer = Libc.allocate(SocketAddresses.SIZE);
        try {
            return Libc.bind(fd, buffer, SocketAddresses.encode(address, buffer));
        } finally {
            Libc.free(buffer);
        }
    }

    @Override
    public StreamSocket connect(Submitter submitter, InetSocketAddress address) throws IOException {
        int fd = socket(address, "connect");
        Connect connect = new Connect(fd, address);
        try {
            check("connect", address, connect.perform(submitter));
            return new UringStream(this, submitter, fd, localAddress(fd), address);
        } catch (IOException | RuntimeException | Error e) {
            Close.close(submitter, fd);
            throw e;
        } finally {
            connect.free();
        }
    }

    @Override
    public PacketSocket bindPackets(Submitter submitter, InetSocketAddress address) throws IOException {
        int fd = Libc.socket(SocketAddresses.family(address), Libc.SOCK_DGRAM | Libc.SOCK_CLOEXEC, 0);
        check("bind", address, fd);
        try {
            check("bind", address, bind(fd, address));
            return new UringPackets(this, submitter, fd, localAddress(fd));
        } catch (IOException | RuntimeException | Error e) {
            Libc.close(fd);
            throw e;
        }
    }

    @Override
    public FileTree files(Submitter submitter) {
        return UringFileTree.isPossible(probe)
                ? new UringFileTree(this, submitter, probe)
                : new NioFileTree(openSockets, submitter);
    }

    /** A stream socket without delay; a listener hands that option on to what it accepts. */
    private static int socket(InetSocketAddress address, String operation) throws IOException {
        int fd = Libc.socket(SocketAddresses.family(address), Libc.SOCK_STREAM | Libc.SOCK_CLOEXEC, 0);
        check(operation, address, fd);
        Libc.setIntOption(fd, Libc.IPPROTO_TCP, Libc.TCP_NODELAY, 1);
        return fd;
    }

    private static void check(String operation, InetSocketAddress address, int result) throws IOException {
        if (result < 0) {
            throw Errno.exception(operation, SocketAddresses.text(address), -result);
        }
    }

    InetSocketAddress localAddress(int fd) {
        long buffer = Libc.allocate(SocketAddresses.SIZE);
        try {
            Libc.localName(fd, Memory.range(buffer, SocketAddresses.SIZE));
            return SocketAddresses.decode(buffer);
        } finally {
            Libc.free(buffer);
        }
    }

    OpenSockets openSockets() {
        return openSockets;
    }

    NativeBuffers buffers() {
        return buffers;
    }

    boolean inflows() {
        return probe.inflows();
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
