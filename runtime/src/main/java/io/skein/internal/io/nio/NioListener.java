package io.skein.internal.io.nio;

import io.skein.internal.io.Gate;
import io.skein.internal.io.ListenerSocket;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A listening channel. One coroutine accepts at a time; close may come from anywhere. */
final class NioListener extends Gate implements ListenerSocket {
    private final NioBackend backend;
    private final Submitter submitter;
    private final ServerSocketChannel channel;
    private final InetSocketAddress localAddress;
    private final Accept accept;

    private final class Accept extends NioOperation {
        private @Nullable SocketChannel accepted;

        Accept() {
            super(channel, SelectionKey.OP_ACCEPT);
        }

        @Override
        int attempt() throws IOException {
            accepted = channel.accept();
            return accepted == null ? NOT_READY : 0;
        }

        @Override
        boolean abandoned() {
            return isClosed();
        }
    }

    NioListener(NioBackend backend, Submitter submitter, ServerSocketChannel channel) throws IOException {
        super(backend.openSockets());
        this.backend = backend;
        this.submitter = submitter;
        this.channel = channel;
        this.localAddress = (InetSocketAddress) channel.getLocalAddress();
        this.accept = new Accept();
        opened();
    }

    @Override
    public StreamSocket accept() throws IOException {
        enterRead("accept", this);
        try {
            int result = accept.perform(submitter);
            SocketChannel accepted = accept.accepted;
            accept.accepted = null;
            if (accepted != null && result >= 0) {
                return backend.stream(submitter, accepted);
            }
            if (isClosed()) {
                throw new SocketException("accept " + this + ": closed by another thread");
            }
            throw accept.exception("accept", this, result);
        } finally {
            leaveRead();
        }
    }

    @Override
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    @Override
    protected void evict() {
        accept.cancelFromOutside();
    }

    @Override
    protected void release() {
        backend.close(submitter, channel);
    }

    @Override
    public String toString() {
        return SocketAddresses.text(localAddress);
    }
}
