package io.skein.internal.io.nio;

import io.skein.internal.io.Gate;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A connected channel. Thread safety is the {@link Gate}'s. */
final class NioStream extends Gate implements StreamSocket {
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

    NioStream(Submitter submitter, SocketChannel channel) throws IOException {
        this.submitter = submitter;
        this.channel = channel;
        this.localAddress = (InetSocketAddress) channel.getLocalAddress();
        this.remoteAddress = (InetSocketAddress) channel.getRemoteAddress();
        this.reading = new Transfer(SelectionKey.OP_READ);
        this.writing = new Transfer(SelectionKey.OP_WRITE);
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        enterRead("read", this);
        try {
            if (!target.hasRemaining()) {
                return 0;
            }
            int result = reading.perform(target);
            if (result > 0) {
                return result;
            }
            if (isClosed()) {
                throw closedDuring("read");
            }
            if (result == 0) {
                return -1;
            }
            throw NioFailures.exception("read", this, reading.failure());
        } finally {
            leaveRead();
        }
    }

    @Override
    public void write(ByteBuffer source) throws IOException {
        enterWrite("write", this);
        try {
            while (source.hasRemaining()) {
                if (writing.perform(source) < 0) {
                    throw isClosed() ? closedDuring("write") : NioFailures.exception("write", this, writing.failure());
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
            channel.shutdownOutput();
        } catch (IOException e) {
            throw NioFailures.exception("shutdown", this, e);
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
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("close " + this, e);
        }
    }

    private SocketException closedDuring(String operation) {
        return new SocketException(operation + " " + this + ": closed by another thread");
    }

    @Override
    public String toString() {
        return SocketAddresses.text(remoteAddress);
    }
}
