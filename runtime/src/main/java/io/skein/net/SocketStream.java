package io.skein.net;

import io.skein.internal.Headroom;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.FileHandle;
import io.skein.internal.io.LeasePool;
import io.skein.internal.io.Loan;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.linux.SocketAddresses;
import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A stream over a socket of the runtime's backend. Thread safety is that of every {@link ByteStream}.
 *
 * <p>Each call refers to the stream until it is over: else it might be taken for forgotten, and closed, while somebody
 * is in it.
 */
abstract sealed class SocketStream extends NetworkSocket implements ByteStream permits TcpStream, UnixStream {
    private final StreamSocket socket;
    private volatile long readTimeoutNanos;
    private volatile long writeTimeoutNanos;

    /** What was read ahead for a delimiter, or came and no file took it; null before anybody needs that. Of who reads. */
    private @Nullable BufferedSource ahead;

    SocketStream(Scheduler scheduler, StreamSocket socket) {
        super(scheduler, socket);
        this.socket = socket;
    }

    @Override
    final StreamSocket socket() {
        return socket;
    }

    final Scheduler scheduler() {
        return scheduler;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        BufferedSource readAhead = ahead;
        return readAhead == null ? receive(target) : readAhead.read(target);
    }

    /** Reads from the socket. */
    private int receive(ByteBuffer target) throws IOException {
        checkWritable(target);
        if (!scheduler.serves()) {
            return Caller.fromOutside(scheduler, "read", () -> receive(target));
        }
        try {
            return socket.read(target, readTimeoutNanos);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public long read(ByteBuffer... targets) throws IOException {
        for (ByteBuffer target : targets) {
            checkWritable(target);
        }
        if (ahead != null) {
            return ByteStream.super.read(targets);
        }
        if (!scheduler.serves()) {
            return Caller.fromOutside(scheduler, "read", () -> read(targets));
        }
        try {
            return socket.read(targets, readTimeoutNanos);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public byte[] readUntil(byte delimiter, int limit) throws IOException {
        return ahead().readUntil(delimiter, limit);
    }

    @Override
    public long transferTo(FileChannel target, long position, long count) throws IOException {
        return ahead().transferTo(target, position, count);
    }

    private BufferedSource ahead() {
        BufferedSource readAhead = ahead;
        if (readAhead == null) {
            readAhead = new BufferedSource(new DirectSource(this, this::receive));
            ahead = readAhead;
        }
        return readAhead;
    }

    /** Whether bytes are known to be here, so that a read by the caller would not wait. There may be some even if not. */
    final boolean hasReceived() {
        BufferedSource readAhead = ahead;
        return (readAhead != null && readAhead.buffered() > 0) || socket.held() > 0;
    }

    /** How many bytes can be read without waiting. */
    final int arrived() throws IOException {
        BufferedSource readAhead = ahead;
        try {
            return (readAhead == null ? 0 : readAhead.buffered()) + socket.available();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Waits until something has arrived and lends it. Until then no buffer is held: for servers with many connections that
     * are mostly idle. At most 17 KiB are lent at a time: where more comes, a read into a buffer of your own costs less.
     *
     * @throws IOException as {@link #read(ByteBuffer)} does
     */
    public Lease receive() throws IOException {
        if (!scheduler.serves()) {
            return Caller.fromOutside(scheduler, "receive", this::receive);
        }
        LeasePool pool = scheduler.backend().leases();
        BufferedSource readAhead = ahead;
        Lease lease = new Lease(); // first: what has arrived must not be lost if there is no memory for a lease
        if (readAhead == null || readAhead.buffered() == 0) {
            try {
                return lease.of(socket.receive(pool, readTimeoutNanos));
            } finally {
                Reference.reachabilityFence(this);
            }
        }
        Loan loan = pool.take();
        ByteBuffer buffer = loan.bytes();
        readAhead.read(buffer.limit(Math.min(buffer.capacity(), readAhead.buffered())));
        buffer.flip();
        return lease.of(loan);
    }

    /**
     * Writes what is left in a lease, of this stream or another, and closes the lease: nobody waits until the bytes have gone, and
     * nothing is copied on io_uring. An echo or a proxy in two calls:
     *
     * <pre>{@code
     * for (Lease lease = from.receive(); !lease.isEnd(); lease = from.receive()) {
     *     to.send(lease);
     * }
     * }</pre>
     *
     * <p>It waits only for what was written before, and where the kernel cannot send on its own.
     *
     * @throws IOException as {@link #write(ByteBuffer)} does; the lease is closed all the same, and how much of it was sent is
     *     not known. A failure that comes later is told by the next write
     * @throws IllegalStateException if the lease is closed
     */
    public void send(Lease lease) throws IOException {
        if (scheduler.serves()) {
            Headroom.toNest(); // what is handed on is sent, or given back
            try {
                socket.send(lease.handOn(), writeTimeoutNanos);
            } finally {
                Reference.reachabilityFence(this);
            }
        } else {
            try (lease) {
                write(lease.bytes());
            }
        }
    }

    /**
     * Writes a part of a file. On io_uring the bytes stay in the kernel. The {@link #writeTimeout} is for all of it.
     *
     * @return how many bytes: fewer than wanted at the end of the file, or if a timeout, an interrupt or a failure came when
     *     some were written; then the next call tells
     * @throws IOException as {@link #write(ByteBuffer)} does, or if the file cannot be read
     */
    public long transferFrom(Path file, long position, long count) throws IOException {
        if (position < 0 || count < 0) {
            throw new IllegalArgumentException(
                    "position " + position + ", count " + count + ": neither may be negative");
        }
        if (!scheduler.serves()) {
            return Caller.fromOutside(scheduler, "write", () -> transferFrom(file, position, count));
        }
        Headroom.toNest(); // what is opened is closed
        FileHandle opened = scheduler.backend().files(scheduler).open(file, Set.of(StandardOpenOption.READ));
        try {
            return socket.sendFile(opened, position, count, writeTimeoutNanos);
        } finally {
            opened.close();
            Reference.reachabilityFence(this);
        }
    }

    private static void checkWritable(ByteBuffer target) {
        if (target.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
    }

    @Override
    public void write(ByteBuffer source) throws IOException {
        if (scheduler.serves()) {
            try {
                socket.write(source, writeTimeoutNanos);
            } finally {
                Reference.reachabilityFence(this);
            }
        } else {
            Caller.runFromOutside(scheduler, "write", () -> write(source));
        }
    }

    @Override
    public void write(ByteBuffer... sources) throws IOException {
        if (scheduler.serves()) {
            try {
                socket.write(sources, writeTimeoutNanos);
            } finally {
                Reference.reachabilityFence(this);
            }
        } else {
            Caller.runFromOutside(scheduler, "write", () -> write(sources));
        }
    }

    @Override
    public void readTimeout(@Nullable Duration timeout) {
        readTimeoutNanos = Deadline.timeout(timeout);
    }

    @Override
    public Duration readTimeout() {
        return Duration.ofNanos(readTimeoutNanos);
    }

    @Override
    public void writeTimeout(@Nullable Duration timeout) {
        writeTimeoutNanos = Deadline.timeout(timeout);
    }

    @Override
    public Duration writeTimeout() {
        return Duration.ofNanos(writeTimeoutNanos);
    }

    /**
     * Reads the end of the stream from now on, whatever still arrives. A thread that reads now does so, too. Writing goes
     * on.
     */
    public void shutdownInput() throws IOException {
        try {
            socket.shutdownInput();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * As it says there, without waiting for the peer. A thread that is writing, and whoever writes later, gets a
     * {@link java.net.SocketException}: broken pipe.
     */
    @Override
    public void shutdownOutput() throws IOException {
        if (scheduler.serves()) {
            try {
                socket.shutdownOutput();
            } finally {
                Reference.reachabilityFence(this);
            }
        } else {
            Caller.runFromOutside(scheduler, "shutdown", this::shutdownOutput);
        }
    }

    @Override
    public SocketAddress remoteAddress() {
        return socket.remoteAddress();
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + SocketAddresses.text(localAddress()) + " to "
                + SocketAddresses.text(remoteAddress()) + "]";
    }
}
