package io.skein.internal.seat;

import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/** Makes sockets of one runtime. Any thread may call it. */
public final class SeatedSocketFactory extends SocketFactory {
    private final Scheduler scheduler;

    public SeatedSocketFactory(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public Socket createSocket() throws IOException {
        return new SeatedSocket(scheduler);
    }

    @Override
    public Socket createSocket(@Nullable String host, int port) throws IOException {
        return connected(target(host, port), null);
    }

    @Override
    public Socket createSocket(@Nullable String host, int port, InetAddress localHost, int localPort)
            throws IOException {
        return connected(target(host, port), new InetSocketAddress(localHost, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
            throws IOException {
        return connected(new InetSocketAddress(address, port), new InetSocketAddress(localAddress, localPort));
    }

    /** A name is not looked up here, where it would hold the worker: the socket does that when it connects. */
    private static InetSocketAddress target(@Nullable String host, int port) {
        return host == null
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port)
                : InetSocketAddress.createUnresolved(host, port);
    }

    private Socket connected(InetSocketAddress target, @Nullable InetSocketAddress local) throws IOException {
        Socket socket = new SeatedSocket(scheduler);
        if (local != null) {
            socket.bind(local);
        }
        socket.connect(target); // closes it on failure
        return socket;
    }
}
