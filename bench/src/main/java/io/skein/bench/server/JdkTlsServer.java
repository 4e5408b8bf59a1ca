package io.skein.bench.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** The JDK's encrypted sockets: one virtual thread and an {@code SSLSocket} per connection. */
final class JdkTlsServer implements Server {
    private final JdkSocketServer server;

    JdkTlsServer(int bufferSize) throws IOException {
        ServerSocket listener = TlsIdentity.ofThisServer()
                .context()
                .getServerSocketFactory()
                .createServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        server = new JdkSocketServer(listener, bufferSize, new Computing(0));
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public String describe() {
        return "virtual threads and SSLSocket, JDK " + Runtime.version();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
