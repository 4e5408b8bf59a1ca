package io.skein.net;

import io.skein.Skein;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.linux.SocketAddresses;
import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.ReadPendingException;
import java.nio.channels.WritePendingException;

/**
 * A TCP connection. One thread may read while another writes; {@link #close} may come from anywhere.
 *
 * <p>Reads and writes suspend a coroutine and block any other thread. Direct buffers go to the kernel as they are;
 * heap buffers are copied once. Until the call returns a buffer must not be used by others, nor its memory be freed: an
 * {@link java.lang.foreign.Arena} that it comes from must stay open. Streams send without delay ({@code TCP_NODELAY}).
 *
 * <p>An interrupt ends a wait with {@link InterruptedIOException} and leaves the interrupt status set and the stream
 * open. It loses no byte: what was received before is delivered, and a source's position says how much was sent.
 */
public final class TcpStream implements AutoCloseable {
    private final Scheduler scheduler;
    private final StreamSocket socket;

    TcpStream(Scheduler scheduler, StreamSocket socket) {
        this.scheduler = scheduler;
        this.socket = socket;
    }

    /**
     * Connects, in the runtime of the calling coroutine.
     *
     * @throws ConnectException if the connection is refused
     * @throws UnknownHostException if the address names a host that nobody knows
     * @throws IllegalStateException if the caller is not a coroutine
     */
    public static TcpStream connect(InetSocketAddress address) throws IOException {
        return connect(Caller.here(), address);
    }

    /**
     * Connects, in the runtime of the calling coroutine.
     *
     * @throws ConnectException if the connection is refused
     * @throws UnknownHostException if nobody knows the host
     * @throws IllegalStateException if the caller is not a coroutine
     */
    public static TcpStream connect(String host, int port) throws IOException {
        Scheduler here = Caller.here();
        return connect(here, Caller.resolve(here, host, port));
    }

    /** Connects in the given runtime, from any thread. */
    public static TcpStream connect(Skein skein, InetSocketAddress address) throws IOException {
        return connect(Caller.of(skein), address);
    }

    private static TcpStream connect(Scheduler scheduler, InetSocketAddress address) throws IOException {
        if (!scheduler.serves()) {
            return Caller.fromOutside(scheduler, "connect", () -> connect(scheduler, address));
        }
        InetSocketAddress resolved = Caller.resolved(scheduler, address);
        return new TcpStream(scheduler, scheduler.backend().connect(scheduler, resolved));
    }

    /**
     * Reads what has arrived, waiting until something has.
     *
     * @return the count of bytes, at least 1; -1 at the end of the stream; 0 only if the target has no room
     * @throws SocketException if the stream is closed, here or by a reset of the peer
     * @throws InterruptedIOException if the thread is interrupted
     * @throws ReadPendingException if another thread is reading
     * @throws ReadOnlyBufferException if the target is read-only
     */
    public int read(ByteBuffer target) throws IOException {
        if (target.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        if (!scheduler.serves()) {
            return Caller.fromOutside(scheduler, "read", () -> read(target));
        }
        return socket.read(target);
    }

    /**
     * Writes everything that remains in the source.
     *
     * @throws SocketException if the stream is closed, here or by the peer
     * @throws InterruptedIOException if the thread is interrupted; the source's position says how much was sent
     * @throws WritePendingException if another thread is writing
     */
    public void write(ByteBuffer source) throws IOException {
        if (scheduler.serves()) {
            socket.write(source);
        } else {
            Caller.fromOutside(scheduler, "write", () -> {
                write(source);
                return true;
            });
        }
    }

    /** Tells the peer that no more will be written; it reads the end of the stream. Reading goes on. */
    public void shutdownOutput() throws IOException {
        socket.shutdownOutput();
    }

    public InetSocketAddress localAddress() {
        return socket.localAddress();
    }

    public InetSocketAddress remoteAddress() {
        return socket.remoteAddress();
    }

    /** Closes the connection. A thread that reads or writes gets a {@link SocketException}. Idempotent. */
    @Override
    public void close() {
        Caller.close(scheduler, socket::close);
    }

    @Override
    public String toString() {
        return "TcpStream[" + SocketAddresses.text(localAddress()) + " to " + SocketAddresses.text(remoteAddress())
                + "]";
    }
}
