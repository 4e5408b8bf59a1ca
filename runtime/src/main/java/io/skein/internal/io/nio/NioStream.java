package io.skein.internal.io.nio;

import io.skein.internal.Budget;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.FileCopy;
import io.skein.internal.io.FileHandle;
import io.skein.internal.io.LeasePool;
import io.skein.internal.io.Loan;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.SocketAddresses;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A connected channel. One thread may read while another writes; close may come from anywhere. */
final class NioStream extends NioSocket<SocketChannel> implements StreamSocket {
    private static final int COPIED_AT_ONCE = 64 * 1024;

    private final SocketAddress localAddress;
    private final SocketAddress remoteAddress;
    private final Transfer reading;
    private final Transfer writing;
    private volatile boolean outputShut;

    /** A read or a write: whichever the readiness says. */
    private final class Transfer extends NioOperation {
        private @Nullable ByteBuffer buffer;
        private ByteBuffer @Nullable [] buffers;
        private @Nullable LeasePool lender;
        private @Nullable Loan lent;

        Transfer(int interest) {
            super(channel, interest);
        }

        int perform(ByteBuffer bytes, long deadline) {
            buffer = bytes;
            try {
                return perform(submitter, deadline);
            } finally {
                buffer = null;
            }
        }

        int perform(ByteBuffer[] several, long deadline) {
            buffers = several;
            try {
                return perform(submitter, deadline);
            } finally {
                buffers = null;
            }
        }

        /** Takes a buffer when there is something to read; it is {@code lent} afterwards. */
        int perform(LeasePool from, long deadline) {
            lender = from;
            try {
                return perform(submitter, deadline);
            } finally {
                lender = null;
            }
        }

        private int lend(LeasePool pool) throws IOException {
            Loan taken = pool.take();
            int count = 0;
            try {
                count = channel.read(taken.bytes());
            } finally {
                if (count > 0) {
                    taken.bytes().flip();
                    lent = taken;
                } else {
                    taken.giveBack();
                }
            }
            return count == 0 ? NOT_READY : Math.max(0, count);
        }

        @Override
        int attempt() throws IOException {
            long count;
            LeasePool pool = lender;
            if (pool != null) {
                return lend(pool);
            }
            if (interest() == SelectionKey.OP_READ) {
                count = buffers == null ? channel.read(buffer) : channel.read(buffers);
                return count == 0 ? NOT_READY : (int) Math.max(0, count); // the end of the stream is a result of 0
            }
            count = buffers == null ? channel.write(buffer) : channel.write(buffers);
            return count == 0 ? NOT_READY : (int) Math.min(count, Integer.MAX_VALUE);
        }

        @Override
        boolean abandoned() {
            return isClosed();
        }
    }

    NioStream(
            NioBackend backend, Submitter submitter, SocketChannel channel, SocketAddress local, SocketAddress remote) {
        super(backend, submitter, channel);
        this.localAddress = local;
        this.remoteAddress = remote;
        this.reading = new Transfer(SelectionKey.OP_READ);
        this.writing = new Transfer(SelectionKey.OP_WRITE);
        opened();
    }

    @Override
    public int read(ByteBuffer target, long timeoutNanos) throws IOException {
        enterRead("read", this);
        try {
            if (!target.hasRemaining()) {
                return 0;
            }
            long deadline = Deadline.after(timeoutNanos);
            int result = reading.perform(target, deadline);
            if (reading.mayNotUse(result)) {
                ByteBuffer copy = ByteBuffer.allocate(Math.min(target.remaining(), COPIED_AT_ONCE));
                result = reading.perform(copy, deadline);
                target.put(copy.flip());
            }
            return count(result, timeoutNanos);
        } finally {
            leaveRead();
        }
    }

    @Override
    public long read(ByteBuffer[] targets, long timeoutNanos) throws IOException {
        ByteBuffer first = firstRemaining(targets);
        if (first == null) {
            return 0;
        }
        enterRead("read", this);
        try {
            int result = reading.perform(targets, Deadline.after(timeoutNanos));
            if (!reading.mayNotUse(result)) {
                return count(result, timeoutNanos);
            }
        } finally {
            leaveRead();
        }
        return read(first, timeoutNanos);
    }

    @Override
    public @Nullable Loan receive(LeasePool pool, long timeoutNanos) throws IOException {
        enterRead("receive", this);
        try {
            int result = reading.perform(pool, Deadline.after(timeoutNanos));
            Loan lent = reading.lent;
            reading.lent = null;
            return count(result, timeoutNanos) < 0 ? null : lent;
        } finally {
            leaveRead();
        }
    }

    @Override
    public long sendFile(FileHandle file, long position, long count, long timeoutNanos) throws IOException {
        return FileCopy.send(this, file, position, count, timeoutNanos);
    }

    /** What a read returns or throws. */
    private int count(int result, long timeoutNanos) throws IOException {
        if (result > 0) {
            return result;
        }
        if (result == 0 && !isClosed()) {
            return -1;
        }
        throw exception(reading, "read", this, result, timeoutNanos);
    }

    @Override
    public void write(ByteBuffer source, long timeoutNanos) throws IOException {
        enterWrite("write", this);
        try {
            write(source, Deadline.after(timeoutNanos), timeoutNanos);
        } finally {
            leaveWrite();
        }
    }

    private void write(ByteBuffer source, long deadline, long timeoutNanos) throws IOException {
        while (source.hasRemaining()) {
            int result = writing.perform(source, deadline);
            if (writing.mayNotUse(result)) {
                ByteBuffer copy = ByteBuffer.allocate(Math.min(source.remaining(), COPIED_AT_ONCE));
                result = writing.perform(
                        copy.put(source.slice().limit(copy.capacity())).flip(), deadline);
                source.position(source.position() + copy.position());
            }
            checkWrite(result, source.hasRemaining(), deadline, timeoutNanos);
        }
    }

    @Override
    public void write(ByteBuffer[] sources, long timeoutNanos) throws IOException {
        enterWrite("write", this);
        try {
            long deadline = Deadline.after(timeoutNanos);
            for (ByteBuffer next = firstRemaining(sources); next != null; next = firstRemaining(sources)) {
                int result = writing.perform(sources, deadline);
                if (writing.mayNotUse(result)) {
                    write(next, deadline, timeoutNanos);
                } else {
                    checkWrite(result, firstRemaining(sources) != null, deadline, timeoutNanos);
                }
            }
        } finally {
            leaveWrite();
        }
    }

    private static @Nullable ByteBuffer firstRemaining(ByteBuffer[] buffers) {
        for (ByteBuffer buffer : buffers) {
            if (buffer.hasRemaining()) {
                return buffer;
            }
        }
        return null;
    }

    private void checkWrite(int result, boolean moreToDo, long deadline, long timeoutNanos) throws IOException {
        if (result < 0) {
            throw isLetGo(result)
                    ? Errno.exception("write", this, Errno.EPIPE.number())
                    : exception(writing, "write", this, result, timeoutNanos);
        }
        if (moreToDo) {
            if (Deadline.isPassed(deadline)) {
                throw Deadline.exception("write", this, timeoutNanos);
            }
            Budget.spend(); // a large one may go on for long without waiting
        }
    }

    /** Whether a write has ended because another thread has shut the output down. */
    private boolean isLetGo(int result) {
        return outputShut
                && !isClosed()
                && !Errno.ETIME.is(result)
                && !(Errno.ECANCELED.is(result) && Thread.currentThread().isInterrupted());
    }

    @Override
    public int held() {
        return 0;
    }

    /** The JDK tells only through the channel's socket. It may be asked whatever the channel's mode. */
    @Override
    public int available() throws IOException {
        int[] count = new int[1];
        call("available", () -> {
            Socket adaptor = channel.socket();
            count[0] = adaptor.isInputShutdown() ? 0 : adaptor.getInputStream().available();
        });
        return count[0];
    }

    @Override
    public void shutdownInput() throws IOException {
        call("shutdown", channel::shutdownInput);
    }

    /** A write that waits is let go: at a Unix socket the selector would not tell it. */
    @Override
    public void shutdownOutput() throws IOException {
        outputShut = true;
        call("shutdown", channel::shutdownOutput);
        writing.cancelFromOutside();
    }

    @Override
    public SocketAddress localAddress() {
        return localAddress;
    }

    @Override
    public SocketAddress remoteAddress() {
        return remoteAddress;
    }

    @Override
    protected void evictReader() {
        reading.cancelFromOutside();
    }

    @Override
    protected void evict() {
        reading.cancelFromOutside();
        writing.cancelFromOutside();
    }

    @Override
    protected void release() {
        super.release();
        reading.forgetDeadline();
        writing.forgetDeadline();
    }

    @Override
    public String toString() {
        return SocketAddresses.text(remoteAddress);
    }
}
