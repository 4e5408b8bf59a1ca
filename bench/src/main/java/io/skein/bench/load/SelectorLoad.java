package io.skein.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** The load generator for machines without io_uring: one {@link Selector} and non-blocking channels. */
public final class SelectorLoad implements LoadGenerator {
    private final String reason;

    /** @param reason why the cheaper generator is not used */
    public SelectorLoad(String reason) {
        this.reason = reason;
    }

    @Override
    public String describe() {
        return "one thread, java.nio Selector, which costs about what a server costs (" + reason + ")";
    }

    @Override
    public LoadReport run(LoadOrder order) throws IOException {
        if (order.scenario().traffic() != Traffic.PING_PONG || order.scenario().paced()) {
            throw new IOException(order.scenario().title() + ": only the load generator on io_uring drives that");
        }
        MeasuredWindow window = new MeasuredWindow(order);
        List<Connection> connections = new ArrayList<>();
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < order.connections(); i++) {
                Connection connection = new Connection(order, window);
                connections.add(connection);
                connection.channel.register(selector, SelectionKey.OP_READ, connection);
            }
            window.startRamp(System.nanoTime());
            for (Connection connection : connections) {
                connection.send();
            }
            do {
                selector.select(SelectorLoad::receive);
            } while (window.runsAt(System.nanoTime()));
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        } finally {
            for (Connection connection : connections) {
                connection.channel.close();
            }
        }
        return window.report();
    }

    private static void receive(SelectionKey key) {
        try {
            ((Connection) key.attachment()).receive();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {}

    private static final class Connection {
        final SocketChannel channel;
        private final MeasuredWindow window;
        private final ByteBuffer request;
        private final ByteBuffer reply;
        private long sentAt;

        Connection(LoadOrder order, MeasuredWindow window) throws IOException {
            this.window = window;
            request = ByteBuffer.allocateDirect(order.size());
            reply = ByteBuffer.allocateDirect(order.size());
            channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), order.port()));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
        }

        void send() throws IOException {
            sentAt = System.nanoTime();
            request.clear();
            while (request.hasRemaining()) {
                channel.write(request);
            }
        }

        void receive() throws IOException {
            if (channel.read(reply) < 0) {
                throw new SocketException("the server closed a connection during the run");
            }
            if (!reply.hasRemaining()) {
                reply.clear();
                window.reply(System.nanoTime() - sentAt);
                send();
            }
        }
    }
}
