package io.skein.internal.io.nio;

import io.skein.internal.io.Backend;
import io.skein.internal.io.Driver;
import io.skein.internal.io.ListenerSocket;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Selectors for workers, and channels on them. Any thread may call it. */
public final class NioBackend implements Backend {
    private static final class Connect extends NioOperation {
        private final SocketChannel channel;

        Connect(SocketChannel channel) {
            super(channel, SelectionKey.OP_CONNECT);
            this.channel = channel;
        }

        @Override
        int attempt() throws IOException {
            return channel.finishConnect() ? 0 : NOT_READY;
        }

        @Override
        boolean abandoned() {
            return false; // nobody else has the channel yet
        }
    }

    @Override
    public Driver openDriver() throws IOException {
        return new NioDriver();
    }

    @Override
    public ListenerSocket listen(Submitter submitter, InetSocketAddress address, int backlog) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(address, backlog);
            return new NioListener(submitter, channel);
        } catch (IOException e) {
            channel.close();
            throw NioFailures.exception("bind", SocketAddresses.text(address), e);
        }
    }

    @Override
    public StreamSocket connect(Submitter submitter, InetSocketAddress address) throws IOException {
        SocketChannel channel = SocketChannel.open();
        Connect connect = new Connect(channel);
        try {
            channel.configureBlocking(false);
            if (channel.connect(address) || connect.perform(submitter) >= 0) {
                return stream(submitter, channel);
            }
        } catch (IOException e) {
            channel.close();
            throw NioFailures.exception("connect", SocketAddresses.text(address), e);
        }
        channel.close();
        throw NioFailures.exception("connect", SocketAddresses.text(address), connect.failure());
    }

    static NioStream stream(Submitter submitter, SocketChannel channel) throws IOException {
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return new NioStream(submitter, channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public String describe() {
        return "nio (selectors)";
    }

    @Override
    public void close() {}
}
