package io.skein.bench.server;

import io.skein.Coroutine;
import io.skein.Skein;
import io.skein.examples.WebServer;
import io.skein.examples.http.HttpConnection;
import io.skein.net.ByteStream;
import io.skein.net.Lease;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import io.skein.net.TlsListener;
import io.skein.net.TlsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;

/** Skein: one coroutine per connection, and a plain blocking loop that sends on what it was lent, or from its buffer where much comes. */
final class SkeinServer implements Server {
    /** A property: with {@code true}, each connection has a buffer of its own, which it reads into and writes from. */
    static final String OWN_BUFFERS = "skein.bench.ownBuffers";

    /** From here on a connection has a buffer of its own anyway: a request comes in several leases, and each would be sent alone. */
    private static final int LARGE_BUFFER = 64 * 1024;

    /** The buffer of the simplest program: larger than most messages. */
    private static final int PLAIN_BUFFER = 16 * 1024;

    /** How long a client of the web server may be silent, as in the example. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final Skein skein;
    private final TcpListener listener;
    private final int bufferSize;
    private final Computing work;

    /** What is sent to everybody. */
    private final ByteBuffer full;

    /** What is done with a connection. */
    private interface Handler<S extends ByteStream> {
        void serve(S connection) throws IOException;
    }

    private SkeinServer(Setting setting) throws IOException {
        bufferSize = setting.bufferSize();
        full = ByteBuffer.allocateDirect(bufferSize);
        work = setting.work();
        skein = Skein.builder().workers(setting.workers()).name("server").start();
        listener = TcpListener.bind(skein, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    static Server start(Setting setting) throws IOException {
        if (setting.service() == Service.DATAGRAMS) {
            return new SkeinDatagrams(setting.bufferSize());
        }
        SkeinServer server = new SkeinServer(setting);
        switch (setting.service()) {
            case ECHO -> server.accept(server.listener, server.hasOwnBuffers() ? server::echo : server::echoLent);
            case SOURCE -> server.accept(server.listener, server::send);
            case TLS_ECHO -> {
                TlsOptions options = TlsOptions.of(TlsIdentity.ofThisServer().context());
                server.accept(TlsListener.over(server.listener, options), server::echo);
            }
            case HTTP ->
                server.accept(server.listener, stream -> HttpConnection.serve(stream, SILENCE, WebServer::answer));
            default -> throw new AssertionError("not a service of connections");
        }
        return server;
    }

    /** The simplest program: each connection reads into a buffer of its own, of 16 KiB or more, and writes from it. */
    static Server startReading(Setting setting) throws IOException {
        setting.requireEcho();
        SkeinServer server = new SkeinServer(setting.withBuffer(Math.max(PLAIN_BUFFER, setting.bufferSize())));
        server.accept(server.listener, server::echo);
        return server;
    }

    private boolean hasOwnBuffers() {
        return bufferSize >= LARGE_BUFFER || Boolean.getBoolean(OWN_BUFFERS);
    }

    private <S extends ByteStream> void accept(io.skein.net.Server.Acceptor<S> acceptor, Handler<? super S> handler) {
        Coroutine<?> _ = skein.spawn("accept", () -> {
            try {
                while (true) {
                    S connection = acceptor.accept();
                    Coroutine<?> _ = skein.spawn("connection", () -> serve(connection, handler));
                }
            } catch (SocketException closed) {
                return;
            }
        });
    }

    private static <S extends ByteStream> void serve(S connection, Handler<? super S> handler) {
        try (connection) {
            handler.serve(connection);
        } catch (IOException endOfConnection) {
            // The client went away in the middle: nothing to tell anybody.
        }
    }

    private void echo(ByteStream connection) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bufferSize);
        while (connection.read(buffer) >= 0) {
            Slowness.beforeReply();
            work.run();
            buffer.flip();
            connection.write(buffer);
            buffer.clear();
        }
    }

    /** Holds a buffer only while there is something in it. */
    private void echoLent(TcpStream connection) throws IOException {
        for (Lease lease = connection.receive(); !lease.isEnd(); lease = connection.receive()) {
            Slowness.beforeReply();
            work.run();
            connection.send(lease);
        }
    }

    /** Until the client goes away. All send the same bytes, as Netty's server does. */
    private void send(ByteStream connection) throws IOException {
        ByteBuffer buffer = full.duplicate();
        while (true) {
            connection.write(buffer);
            buffer.clear();
        }
    }

    @Override
    public int port() {
        return listener.localAddress().getPort();
    }

    @Override
    public String describe() {
        return skein.describe();
    }

    @Override
    public void close() {
        listener.close();
        skein.shutdownNow();
        skein.close();
    }
}
