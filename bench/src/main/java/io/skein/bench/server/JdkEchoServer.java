package io.skein.bench.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** The JDK's own: one virtual thread per connection, blocking {@link SocketChannel}s, a direct buffer each. */
final class JdkEchoServer implements EchoServer {
    private final ServerSocketChannel listener;
    private final int bufferSize;

    JdkEchoServer(int bufferSize) throws IOException {
        this.bufferSize = bufferSize;
        listener = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        Thread.ofVirtual().name("accept").start(this::accept);
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel connection = listener.accept();
                connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
                Thread.startVirtualThread(() -> echo(connection));
            }
        } catch (ClosedChannelException closed) {
            return;
        } catch (IOException failure) {
            System.err.println("accept: " + failure);
        }
    }

    private void echo(SocketChannel connection) {
        try (connection) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(bufferSize);
            while (connection.read(buffer) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    connection.write(buffer);
                }
                buffer.clear();
            }
        } catch (IOException endOfConnection) {
            // The client went away in the middle of an echo: nothing to tell anybody.
        }
    }

    @Override
    public int port() {
        return listener.socket().getLocalPort();
    }

    @Override
    public String describe() {
        return "virtual threads and SocketChannel, JDK " + Runtime.version();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
