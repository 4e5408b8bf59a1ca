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
final class SkeinEchoServer implements EchoServer {
    private final Skein skein;
    private final TcpListener listener;
    private final int bufferSize;

    SkeinEchoServer(int bufferSize) throws IOException {
        this.bufferSize = bufferSize;
        skein = Skein.builder().workers(1).name("echo").start();
        listener = TcpListener.bind(skein, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Coroutine<?> _ = skein.spawn("accept", this::accept);
    }

    private void accept() throws IOException {
        try {
            while (true) {
                TcpStream connection = listener.accept();
                Coroutine<?> _ = skein.spawn("connection", () -> echo(connection));
            }
        } catch (SocketException closed) {
            return;
        }
    }

    private void echo(TcpStream connection) {
        try (connection) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(bufferSize);
            while (connection.read(buffer) >= 0) {
                buffer.flip();
                connection.write(buffer);
                buffer.clear();
            }
        } catch (IOException endOfConnection) {
            // The client went away in the middle of an echo: nothing to tell anybody.
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
