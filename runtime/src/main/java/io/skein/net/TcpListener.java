package io.skein.net;

import io.skein.Skein;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.ListenPlan;
import io.skein.internal.io.ListenerSocket;
import io.skein.internal.io.Setting;
import io.skein.internal.linux.SocketAddresses;
import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.AcceptPendingException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A TCP socket that accepts connections. One thread accepts at a time; {@link #close} may come from anywhere.
 *
 * <p>{@link #accept} suspends a coroutine and blocks any other thread. Accepted streams send without delay
 * ({@code TCP_NODELAY}); the address may be bound again at once after a close ({@code SO_REUSEADDR}).
 */
public final class TcpListener implements Server.Acceptor<TcpStream> {
    private final Scheduler scheduler;
    private final ListenerSocket socket;
    private volatile long acceptTimeoutNanos = Deadline.NONE;

    private TcpListener(Scheduler scheduler, ListenerSocket socket) {
        this.scheduler = scheduler;
        this.socket = socket;
    }

    /**
     * Binds and listens, in the runtime of the calling coroutine. Port 0 takes a free one. A wildcard address listens to
     * IPv4 and IPv6.
     *
     * @throws BindException if the address is in use or not this machine's
     * @throws UnknownHostException if the address names a host that nobody knows
     * @throws IllegalStateException if the caller is not a coroutine
     */
    public static TcpListener bind(InetSocketAddress address) throws IOException {
        return builder().bind(address);
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
        return builder().bind(here, Caller.resolve(here, host, port));
    }

    /** Binds and listens in the given runtime, from any thread. */
    public static TcpListener bind(Skein skein, InetSocketAddress address) throws IOException {
        return builder().bind(skein, address);
    }

    /** Options for a listener that is to be made. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Waits for a connection. An interrupted wait loses none: a connection that had come is returned, and the
     * interrupt status stays set.
     *
     * @throws SocketException if the listener is closed
     * @throws SocketTimeoutException if none comes within the {@link #acceptTimeout}; the listener goes on
     * @throws InterruptedIOException if the thread is interrupted; its interrupt status stays set
     * @throws AcceptPendingException if another thread is accepting
     */
    @Override
    public TcpStream accept() throws IOException {
        return acceptWithin(acceptTimeoutNanos);
    }

    /**
     * As {@link #accept()}, with a timeout of its own: zero for ever.
     *
     * @throws SocketTimeoutException if none comes in time; the listener goes on
     */
    public TcpStream acceptWithin(Duration timeout) throws IOException {
        return acceptWithin(Deadline.timeout(timeout));
    }

    private TcpStream acceptWithin(long timeoutNanos) throws IOException {
        return scheduler.serves()
                ? new TcpStream(scheduler, socket.accept(timeoutNanos))
                : Caller.fromOutside(scheduler, "accept", () -> acceptWithin(timeoutNanos));
    }

    /** How long each {@link #accept()} from now on waits; null or zero for ever, which is the default. */
    public void acceptTimeout(@Nullable Duration timeout) {
        acceptTimeoutNanos = Deadline.timeout(timeout);
    }

    /** How long {@link #accept()} waits; zero for ever. */
    public Duration acceptTimeout() {
        return Duration.ofNanos(acceptTimeoutNanos);
    }

    /**
     * Sets an option.
     *
     * @throws UnsupportedOperationException if this listener has no such option
     */
    public <T> void setOption(SocketOption<T> option, T value) throws IOException {
        socket.setOption(option, value);
    }

    /**
     * The present value of an option.
     *
     * @throws UnsupportedOperationException if this listener has no such option
     */
    public <T> T getOption(SocketOption<T> option) throws IOException {
        return socket.getOption(option);
    }

    /** The options that this listener has. */
    public Set<SocketOption<?>> supportedOptions() {
        return socket.supportedOptions();
    }

    /** The address it listens on, with the real port. */
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) socket.localAddress();
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

    /** Options of a listener. Not safe for use by several threads. */
    public static final class Builder {
        private final List<Setting<?>> settings = new ArrayList<>();
        private int backlog = 1024;
        private boolean dualStack = true;
        private long acceptTimeoutNanos = Deadline.NONE;

        private Builder() {
            settings.add(new Setting<>(StandardSocketOptions.SO_REUSEADDR, true));
        }

        /** How many connections may wait to be accepted, as a hint to the kernel; by default 1024. */
        public Builder backlog(int connections) {
            if (connections < 1) {
                throw new IllegalArgumentException("backlog: " + connections + "; it must be at least 1");
            }
            backlog = connections;
            return this;
        }

        /** Whether the address may be bound while connections of a former listener linger; by default it may. */
        public Builder reuseAddress(boolean reuse) {
            return option(StandardSocketOptions.SO_REUSEADDR, reuse);
        }

        /** Whether several listeners may share the address and the kernel spreads connections; by default not. */
        public Builder reusePort(boolean reuse) {
            return option(StandardSocketOptions.SO_REUSEPORT, reuse);
        }

        /** The size of the receive buffers of accepted streams, in bytes, as a hint to the kernel; by default its choice. */
        public Builder receiveBuffer(int bytes) {
            return option(StandardSocketOptions.SO_RCVBUF, bytes);
        }

        /** Whether a wildcard address listens to both IPv4 and IPv6; by default it does. */
        public Builder dualStack(boolean both) {
            dualStack = both;
            return this;
        }

        /** How long {@link TcpListener#accept()} waits; null or zero for ever, which is the default. */
        public Builder acceptTimeout(@Nullable Duration timeout) {
            acceptTimeoutNanos = Deadline.timeout(timeout);
            return this;
        }

        /** An option to set before binding. Accepted streams inherit most. */
        public <T> Builder option(SocketOption<T> option, T value) {
            settings.add(new Setting<>(option, value));
            return this;
        }

        /** Binds as {@link TcpListener#bind(InetSocketAddress)} does. */
        public TcpListener bind(InetSocketAddress address) throws IOException {
            return bind(Caller.here(), address);
        }

        /** Binds and listens in the given runtime, from any thread. */
        public TcpListener bind(Skein skein, InetSocketAddress address) throws IOException {
            return bind(Caller.of(skein), address);
        }

        private TcpListener bind(Scheduler scheduler, InetSocketAddress address) throws IOException {
            if (!scheduler.serves()) {
                return Caller.fromOutside(scheduler, "bind", () -> bind(scheduler, address));
            }
            InetSocketAddress resolved = Caller.resolved(scheduler, address);
            ListenPlan plan = new ListenPlan(resolved, backlog, dualStack, List.copyOf(settings));
            TcpListener listener =
                    new TcpListener(scheduler, scheduler.backend().listen(scheduler, plan));
            listener.acceptTimeoutNanos = acceptTimeoutNanos;
            return listener;
        }
    }
}
