package io.skein.net;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A stream in two parts, one to read from and one to write to, each with an owner of its own. Any thread may call it.
 *
 * <p>To close the writing half tells the peer that no more comes. To close the reading half means that nobody is interested in what
 * comes. When both are closed, so is the stream.
 */
public final class Halves {
    private final ByteStream stream;
    private final ReadHalf reader = new ReadHalf();
    private final WriteHalf writer = new WriteHalf();
    private final AtomicInteger open = new AtomicInteger(2);

    Halves(ByteStream stream) {
        this.stream = stream;
    }

    public ByteSource reader() {
        return reader;
    }

    public ByteSink writer() {
        return writer;
    }

    private void closedOne() throws IOException {
        if (open.decrementAndGet() == 0) {
            stream.close();
        }
    }

    private static SocketException closed(String operation, ByteStream stream) {
        return new SocketException(operation + " " + stream + ": this half is closed");
    }

    private final class ReadHalf implements ByteSource {
        private final AtomicInteger closes = new AtomicInteger();

        private ByteStream openStream(String operation) throws SocketException {
            if (closes.get() > 0) {
                throw closed(operation, stream);
            }
            return stream;
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            return openStream("read").read(target);
        }

        @Override
        public long read(ByteBuffer... targets) throws IOException {
            return openStream("read").read(targets);
        }

        @Override
        public byte[] readUntil(byte delimiter, int limit) throws IOException {
            return openStream("read").readUntil(delimiter, limit);
        }

        @Override
        public void readTimeout(@Nullable Duration timeout) {
            stream.readTimeout(timeout);
        }

        @Override
        public Duration readTimeout() {
            return stream.readTimeout();
        }

        @Override
        public void close() throws IOException {
            if (closes.getAndIncrement() == 0) {
                closedOne();
            }
        }

        @Override
        public String toString() {
            return "the reading half of " + stream;
        }
    }

    private final class WriteHalf implements ByteSink {
        private final AtomicInteger closes = new AtomicInteger();

        private ByteStream openStream(String operation) throws SocketException {
            if (closes.get() > 0) {
                throw closed(operation, stream);
            }
            return stream;
        }

        @Override
        public void write(ByteBuffer source) throws IOException {
            openStream("write").write(source);
        }

        @Override
        public void write(ByteBuffer... sources) throws IOException {
            openStream("write").write(sources);
        }

        @Override
        public void writeTimeout(@Nullable Duration timeout) {
            stream.writeTimeout(timeout);
        }

        @Override
        public Duration writeTimeout() {
            return stream.writeTimeout();
        }

        @Override
        public void close() throws IOException {
            if (closes.getAndIncrement() == 0) {
                try {
                    stream.shutdownOutput();
                } finally {
                    closedOne();
                }
            }
        }

        @Override
        public String toString() {
            return "the writing half of " + stream;
        }
    }
}
