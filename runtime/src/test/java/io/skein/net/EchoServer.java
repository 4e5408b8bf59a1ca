package io.skein.net;

import io.skein.Action;
import io.skein.Coroutine;
import io.skein.Skein;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An echo server for tests: one coroutine accepts, one serves each connection. Thread safe. Closing it refuses new
 * connections; those that are open end when their clients do.
 */
final class EchoServer implements AutoCloseable {
    /** Serves one connection; the server closes the stream afterwards. */
    @FunctionalInterface
    interface Handler {
        void serve(TcpStream stream) throws Exception;
    }

    private final Skein skein;
    private final TcpListener listener;
    private final Handler handler;
    private final AtomicInteger accepted = new AtomicInteger();

    private EchoServer(Skein skein, TcpListener listener, Handler handler) {
        this.skein = skein;
        this.listener = listener;
        this.handler = handler;
    }

    static EchoServer start(Skein skein, InetSocketAddress address) throws IOException {
        return start(skein, address, EchoServer::echo);
    }

    static EchoServer start(Skein skein, InetSocketAddress address, Handler handler) throws IOException {
        return start(skein, TcpListener.bind(skein, address), handler);
    }

    /** Serves a listener that the test has prepared, and closes it in the end. */
    static EchoServer start(Skein skein, TcpListener listener, Handler handler) {
        EchoServer server = new EchoServer(skein, listener, handler);
        Coroutine<?> _ = skein.spawn("acceptor", server::acceptAll);
        return server;
    }

    InetSocketAddress address() {
        return listener.localAddress();
    }

    /** How many connections were accepted so far. */
    int accepted() {
        return accepted.get();
    }

    @Override
    public void close() {
        listener.close();
    }

    /** Sends everything back until the peer has no more to say. */
    static void echo(TcpStream stream) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(4096);
        while (stream.read(buffer) >= 0) {
            stream.write(buffer.flip());
            buffer.clear();
        }
    }

    private void acceptAll() throws IOException {
        while (true) {
            TcpStream stream;
            try {
                stream = listener.accept();
            } catch (SocketException closed) {
                return;
            }
            accepted.incrementAndGet();
            Action serving = () -> {
                try (stream) {
                    handler.serve(stream);
                }
            };
            Coroutine<?> _ = skein.spawn("connection", serving);
        }
    }
}
