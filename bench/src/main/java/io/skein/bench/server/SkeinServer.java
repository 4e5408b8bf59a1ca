package io.skein.bench.server;

import io.skein.Coroutine;
import io.skein.Skein;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;

/** Skein: one worker, one coroutine per connection, a direct buffer each, and a plain blocking loop. */
final class SkeinServer implements Server {
    private final Skein skein;
    private final TcpListener listener;
    private final Handler handler;
    private final int bufferSize;

    /** What is done with a connection. */
    private interface Handler {
        void serve(TcpStream connection, ByteBuffer buffer) throws IOException;
    }

    SkeinServer(Service service, int bufferSize) throws IOException {
        this.bufferSize = bufferSize;
        handler = switch (service) {
            case ECHO -> SkeinServer::echo;
            case SOURCE -> SkeinServer::send;
            case DATAGRAMS -> throw new UnsupportedOperationException("Skein has no UDP yet");
            case TLS_ECHO -> throw new UnsupportedOperationException("Skein has no TLS yet");
        };
        skein = Skein.builder().workers(1).name("server").start();
        listener = TcpListener.bind(skein, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Coroutine<?> _ = skein.spawn("accept", this::accept);
    }

    private void accept() throws IOException {
        try {
            while (true) {
                TcpStream connection = listener.accept();
                Coroutine<?> _ = skein.spawn("connection", () -> serve(connection));
            }
        } catch (SocketException closed) {
            return;
        }
    }

    private void serve(TcpStream connection) {
        try (connection) {
            handler.serve(connection, ByteBuffer.allocateDirect(bufferSize));
        } catch (IOException endOfConnection) {
            // The client went away in the middle: nothing to tell anybody.
        }
    }

    private static void echo(TcpStream connection, ByteBuffer buffer) throws IOException {
        while (connection.read(buffer) >= 0) {
            Slowness.beforeReply();
            buffer.flip();
            connection.write(buffer);
            buffer.clear();
        }
    }

    /** Until the client goes away. */
    private static void send(TcpStream connection, ByteBuffer buffer) throws IOException {
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
