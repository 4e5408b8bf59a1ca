package io.skein.integration;

import io.skein.Skein;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.SocketFactory;

/** A factory by name that makes the sockets of the runtime under test, whoever asks, and counts them. */
public final class WatchedSocketFactory extends SocketFactory {
    private static volatile Skein runtime;
    private static final AtomicInteger MADE = new AtomicInteger();

    /** For the driver. */
    public WatchedSocketFactory() {}

    static void use(Skein skein) {
        runtime = skein;
        MADE.set(0);
    }

    static int made() {
        return MADE.get();
    }

    private static SocketFactory counted() {
        MADE.incrementAndGet();
        return runtime.socketFactory();
    }

    @Override
    public Socket createSocket() throws IOException {
        return counted().createSocket();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return counted().createSocket(host, port);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return counted().createSocket(host, port, localHost, localPort);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return counted().createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
            throws IOException {
        return counted().createSocket(address, port, localAddress, localPort);
    }
}
