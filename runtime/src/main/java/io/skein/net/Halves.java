package io.skein.net;

import io.skein.internal.Headroom;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
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

    /** What both halves are: closed once, each by its owner. */
    private abstract class Half implements Closeable {
        private final String name;
        private final AtomicBoolean closed = new AtomicBoolean();

        Half(String name) {
            this.name = name;
        }

        /** The stream, as long as this half is open. */
        final ByteStream openFor(String operation) throws SocketException {
            if (closed.get()) {
                throw new SocketException(operation + " " + stream + ": this half is closed");
            }
            return stream;
        }

        /** What to close this half means beside that nobody uses it. */
        abstract void goodbye() throws IOException;

        @Override
        public final void close() throws IOException {
            Headroom.toNest(); // a half is closed once
            if (closed.compareAndSet(false, true)) {
                try {
                    goodbye();
                } finally {
                    if (open.decrementAndGet() == 0) {
                        stream.close();
                    }
                }
            }
        }

        @Override
        public final String toString() {
            return name + " of " + stream;
        }
    }

    private final class ReadHalf extends Half implements ByteSource {
        ReadHalf() {
            super("the reading half");
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            return openFor("read").read(target);
        }

        @Override
        public long read(ByteBuffer... targets) throws IOException {
            return openFor("read").read(targets);
        }

        @Override
        public byte[] readUntil(byte delimiter, int limit) throws IOException {
            return openFor("read").readUntil(delimiter, limit);
        }

        @Override
        public long transferTo(FileChannel target, long position, long count) throws IOException {
            return openFor("read").transferTo(target, position, count);
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
        void goodbye() {}
    }

    private final class WriteHalf extends Half implements ByteSink {
        WriteHalf() {
            super("the writing half");
        }

        @Override
        public void write(ByteBuffer source) throws IOException {
            openFor("write").write(source);
        }

        @Override
        public void write(ByteBuffer... sources) throws IOException {
            openFor("write").write(sources);
        }

        @Override
        public long transferFrom(FileChannel source, long position, long count) throws IOException {
            return openFor("write").transferFrom(source, position, count);
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
        void goodbye() throws IOException {
            stream.shutdownOutput();
        }
    }
}
