package io.skein.net;

import io.skein.Skein;
import io.skein.internal.io.ListenerSocket;
import io.skein.internal.linux.SocketAddresses;
import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.AcceptPendingException;

/**
 * A TCP socket that accepts connections. One thread accepts at a time; {@link #close} may come from anywhere.
 *
 * <p>{@link #accept} suspends a coroutine and blocks any other thread. Accepted streams send without delay
 * ({@code TCP_NODELAY}); the address may be bound again at once after a close ({@code SO_REUSEADDR}).
 */
public final class TcpListener implements AutoCloseable {
    private static final int BACKLOG = 1024;

    private final Scheduler scheduler;
    private final ListenerSocket socket;

    private TcpListener(Scheduler scheduler, ListenerSocket socket) {
        this.scheduler = scheduler;
        this.socket = socket;
    }

    /**
     * Binds and listens, in the runtime of the calling coroutine. Port 0 takes a free one.
     *
     * @throws BindException if the address is in use or not this machine's
     * @throws UnknownHostException if the address names a host that nobody knows
     * @throws IllegalStateException if the caller is not a coroutine
     */
    public static TcpListener bind(InetSocketAddress address) throws IOException {
        return bind(Caller.here(), address);
    }

    /**
     * Binds and listens, in the runtime of the calling coroutine. Port 0 takes a free one.
     *
     * @throws BindException if the address is in use or not this machine's
     * @throws UnknownHostException if nobody knows the host
     * @throws IllegalStateException if the caller is not a coroutine
     */
    public static TcpListener bind(String host, int port) throws IOException {
        Scheduler here = Caller.here();
        return bind(here, Caller.resolve(here, host, port));
    }

    /** Binds and listens in the given runtime, from any thread. */
    public static TcpListener bind(Skein skein, InetSocketAddress address) throws IOException {
        return bind(Caller.of(skein), address);
    }

    private static TcpListener bind(Scheduler scheduler, InetSocketAddress address) throws IOException {
        if (!scheduler.serves()) {
            return Caller.fromOutside(scheduler, "bind", () -> bind(scheduler, address));
        }
        InetSocketAddress resolved = Caller.resolved(scheduler, address);
        return new TcpListener(scheduler, scheduler.backend().listen(scheduler, resolved, BACKLOG));
    }

    /**
     * Waits for a connection. An interrupted wait loses none: a connection that had come is returned, and the
     * interrupt status stays set.
     *
     * @throws SocketException if the listener is closed
     * @throws InterruptedIOException if the thread is interrupted; its interrupt status stays set
     * @throws AcceptPendingException if another thread is accepting
     */
    public TcpStream accept() throws IOException {
        return scheduler.serves()
                ? new TcpStream(scheduler, socket.accept())
                : Caller.fromOutside(scheduler, "accept", this::accept);
    }

    /** The address it listens on, with the real port. */
    public InetSocketAddress localAddress() {
        return socket.localAddress();
    }

    /** Stops listening. A thread in {@link #accept} gets a {@link SocketException}. Idempotent. */
    @Override
    public void close() {
        Caller.close(scheduler, socket::close);
    }

    @Override
    public String toString() {
        return "TcpListener[" + SocketAddresses.text(localAddress()) + "]";
    }
}
