package io.skein.internal.io.nio;

import io.skein.internal.io.Gate;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A connected channel. Thread safety is the {@link Gate}'s. */
final class NioStream extends Gate implements StreamSocket {
    private static final int COPIED_AT_ONCE = 64 * 1024;

    private final NioBackend backend;
    private final Submitter submitter;
    private final SocketChannel channel;
    private final InetSocketAddress localAddress;
    private final InetSocketAddress remoteAddress;
    private final Transfer reading;
    private final Transfer writing;

    /** A read or a write: whichever the readiness says. */
    private final class Transfer extends NioOperation {
        private @Nullable ByteBuffer buffer;

        Transfer(int interest) {
            super(channel, interest);
        }

        int perform(ByteBuffer bytes) {
            buffer = bytes;
            try {
                return perform(submitter);
            } finally {
                buffer = null;
            }
        }

        @Override
        int attempt() throws IOException {
            if (interest() == SelectionKey.OP_READ) {
                int count = channel.read(buffer);
                return count == 0 ? NOT_READY : Math.max(0, count); // the end of the stream is a result of 0
            }
            int count = channel.write(buffer);
            return count == 0 ? NOT_READY : count;
        }

        @Override
        boolean abandoned() {
            return isClosed();
        }
    }

    NioStream(NioBackend backend, Submitter submitter, SocketChannel channel) throws IOException {
        super(backend.openSockets());
        this.backend = backend;
        this.submitter = submitter;
        this.channel = channel;
        this.localAddress = (InetSocketAddress) channel.getLocalAddress();
        this.remoteAddress = (InetSocketAddress) channel.getRemoteAddress();
        this.reading = new Transfer(SelectionKey.OP_READ);
        this.writing = new Transfer(SelectionKey.OP_WRITE);
        opened();
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        enterRead("read", this);
        try {
            if (!target.hasRemaining()) {
                return 0;
            }
            int result = reading.perform(target);
            if (reading.mayNotUse(result)) {
                ByteBuffer copy = ByteBuffer.allocate(Math.min(target.remaining(), COPIED_AT_ONCE));
                result = reading.perform(copy);
                target.put(copy.flip());
            }
            if (result > 0) {
                return result;
            }
            if (isClosed()) {
                throw closedDuring("read");
            }
            if (result == 0) {
                return -1;
            }
            throw reading.exception("read", this, result);
        } finally {
            leaveRead();
        }
    }

    @Override
    public void write(ByteBuffer source) throws IOException {
        enterWrite("write", this);
        try {
            while (source.hasRemaining()) {
                int result = writing.perform(source);
                if (writing.mayNotUse(result)) {
                    ByteBuffer copy = ByteBuffer.allocate(Math.min(source.remaining(), COPIED_AT_ONCE));
                    result = writing.perform(
                            copy.put(source.slice().limit(copy.capacity())).flip());
                    source.position(source.position() + copy.position());
                }
                if (result < 0) {
                    throw isClosed() ? closedDuring("write") : writing.exception("write", this, result);
                }
            }
        } finally {
            leaveWrite();
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        enterWrite("shutdown", this);
        try {
            backend.run(submitter, "shutdown", this, channel, channel::shutdownOutput);
        } finally {
            leaveWrite();
        }
    }

    @Override
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return remoteAddress;
    }

    @Override
    protected void evict() {
        reading.cancelFromOutside();
        writing.cancelFromOutside();
    }

    @Override
    protected void release() {
        backend.close(submitter, channel);
    }

    private SocketException closedDuring(String operation) {
        return new SocketException(operation + " " + this + ": closed by another thread");
    }

    @Override
    public String toString() {
        return SocketAddresses.text(remoteAddress);
    }
}
