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
final class JdkServer implements Server {
    private final ServerSocketChannel listener;
    private final Handler handler;
    private final int bufferSize;

    /** What is done with a connection. */
    private interface Handler {
        void serve(SocketChannel connection, ByteBuffer buffer) throws IOException;
    }

    private JdkServer(Handler handler, int bufferSize) throws IOException {
        this.handler = handler;
        this.bufferSize = bufferSize;
        listener = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        Thread.ofVirtual().name("accept").start(this::accept);
    }

    static Server start(Setting setting) throws IOException {
        int bufferSize = setting.bufferSize();
        Computing work = setting.work();
        return switch (setting.service()) {
            case ECHO -> new JdkServer((connection, buffer) -> echo(connection, buffer, work), bufferSize);
            case SOURCE -> {
                ByteBuffer full = ByteBuffer.allocateDirect(bufferSize);
                yield new JdkServer((connection, _) -> send(connection, full.duplicate()), bufferSize);
            }
            case DATAGRAMS -> new JdkDatagrams(bufferSize);
            case TLS_ECHO -> new JdkTlsServer(bufferSize);
            case HTTP -> new JdkWebServer();
            default -> throw new AssertionError("a library's program");
        };
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel connection = listener.accept();
                connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
                Thread.startVirtualThread(() -> serve(connection));
            }
        } catch (ClosedChannelException closed) {
            return;
        } catch (IOException failure) {
            System.err.println("accept: " + failure);
        }
    }

    private void serve(SocketChannel connection) {
        try (connection) {
            handler.serve(connection, ByteBuffer.allocateDirect(bufferSize));
        } catch (IOException endOfConnection) {
            // The client went away in the middle: nothing to tell anybody.
        }
    }

    private static void echo(SocketChannel connection, ByteBuffer buffer, Computing work) throws IOException {
        while (connection.read(buffer) >= 0) {
            work.run();
            buffer.flip();
            writeAll(connection, buffer);
            buffer.clear();
        }
    }

    /** Until the client goes away. All send the same bytes, as Netty's server does. */
    private static void send(SocketChannel connection, ByteBuffer buffer) throws IOException {
        while (true) {
            writeAll(connection, buffer);
            buffer.clear();
        }
    }

    private static void writeAll(SocketChannel connection, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            connection.write(buffer);
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
