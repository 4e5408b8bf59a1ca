package io.skein.internal.seat;

import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import javax.net.ServerSocketFactory;
import org.jspecify.annotations.Nullable;

/** Makes server sockets of one runtime. Any thread may call it. */
public final class SeatedServerSocketFactory extends ServerSocketFactory {
    private static final int BACKLOG = 50; // as the JDK has it

    private final Scheduler scheduler;

    public SeatedServerSocketFactory(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    @Override
    public ServerSocket createServerSocket() throws IOException {
        return new SeatedServerSocket(scheduler);
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
        return bound(null, port, BACKLOG);
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog) throws IOException {
        return bound(null, port, backlog);
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog, @Nullable InetAddress address) throws IOException {
        return bound(address, port, backlog);
    }

    private ServerSocket bound(@Nullable InetAddress address, int port, int backlog) throws IOException {
        ServerSocket socket = new SeatedServerSocket(scheduler);
        try {
            socket.bind(new InetSocketAddress(address, port), backlog); // no address is the wildcard
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
        return socket;
    }
}
