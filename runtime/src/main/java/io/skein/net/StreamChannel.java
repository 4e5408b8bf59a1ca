package io.skein.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;

/** A stream as a channel. Thread safety is that of the stream. */
final class StreamChannel implements ByteChannel {
    private final ByteStream stream;
    private volatile boolean closed;

    StreamChannel(ByteStream stream) {
        this.stream = stream;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        checkOpen();
        return stream.read(target);
    }

    /** Writes all of the source. */
    @Override
    public int write(ByteBuffer source) throws IOException {
        checkOpen();
        int count = source.remaining();
        stream.write(source);
        return count;
    }

    private void checkOpen() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    /** Whether nobody has closed this view. */
    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        stream.close();
    }
}
