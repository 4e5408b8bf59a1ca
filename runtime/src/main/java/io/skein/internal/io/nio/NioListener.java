package io.skein.internal.io.nio;

import io.skein.internal.io.Deadline;
import io.skein.internal.io.ListenerSocket;
import io.skein.internal.io.Shortage;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A listening channel. One coroutine accepts at a time; close may come from anywhere. */
final class NioListener extends NioSocket<ServerSocketChannel> implements ListenerSocket {
    private final SocketAddress localAddress;

    /** Whether the JDK may fail to accept a peer for its name. */
    private final boolean bySystemCall;

    private final Accept accept;
    private final Shortage shortage = new Shortage(this, this::isClosed);

    private final class Accept extends NioOperation {
        private @Nullable SocketChannel accepted;

        Accept() {
            super(channel, SelectionKey.OP_ACCEPT);
        }

        @Override
        int attempt() throws IOException {
            accepted = bySystemCall ? LinuxSockets.accept(channel) : channel.accept();
            return accepted == null ? NOT_READY : 0;
        }

        @Override
        boolean abandoned() {
            return isClosed();
        }
    }

    NioListener(NioBackend backend, Submitter submitter, ServerSocketChannel channel, SocketAddress localAddress) {
        super(backend, submitter, channel);
        this.localAddress = localAddress;
        this.bySystemCall = LinuxSockets.accepts(localAddress);
        this.accept = new Accept();
        opened();
    }

    @Override
    public StreamSocket accept(long timeoutNanos) throws IOException {
        enterRead("accept", this);
        try {
            long deadline = Deadline.after(timeoutNanos);
            int result = accept.perform(submitter, deadline);
            while (accept.isShortage(result) && shortage.waitAMoment("too many open files", deadline)) {
                result = accept.perform(submitter, deadline);
            }
            SocketChannel accepted = accept.accepted;
            accept.accepted = null;
            if (accepted != null && result >= 0) {
                shortage.over();
                return backend.stream(submitter, accepted, localAddress, bySystemCall);
            }
            boolean late = accept.isShortage(result) && Deadline.isPassed(deadline);
            throw exception(accept, "accept", this, late ? -Errno.ETIME.number() : result, timeoutNanos);
        } finally {
            leaveRead();
        }
    }

    @Override
    public SocketAddress localAddress() {
        return localAddress;
    }

    @Override
    protected void evict() {
        accept.cancelFromOutside();
        boolean _ = shortage.resume();
    }

    @Override
    protected void release() {
        super.release();
        accept.forgetDeadline();
    }

    @Override
    public String toString() {
        return SocketAddresses.text(localAddress);
    }
}
