package io.skein.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** A listener that nobody accepts from, with no room left: whoever connects gets no answer. */
final class FullBacklog implements AutoCloseable {
    private static final int MORE_THAN_FIT = 8;

    private final ServerSocket listener;
    private final List<SocketChannel> fillers = new ArrayList<>();

    private FullBacklog(ServerSocket listener) {
        this.listener = listener;
    }

    static FullBacklog open() throws IOException {
        FullBacklog full = new FullBacklog(new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1")));
        for (int i = 0; i < MORE_THAN_FIT; i++) {
            SocketChannel filler = SocketChannel.open();
            filler.configureBlocking(false);
            filler.connect(full.address());
            full.fillers.add(filler);
        }
        return full;
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel filler : fillers) {
            filler.close();
        }
        listener.close();
    }
}
