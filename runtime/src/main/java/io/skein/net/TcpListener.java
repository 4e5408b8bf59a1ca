package io.skein.net;

import io.skein.Skein;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.ListenPlan;
import io.skein.internal.io.ListenerSocket;
import io.skein.internal.io.Setting;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A TCP socket that accepts connections. One thread accepts at a time; {@link #close} may come from anywhere.
 *
 * <p>{@link #accept} suspends a coroutine and blocks any other thread. Accepted streams send without delay
 * ({@code TCP_NODELAY}); the address may be bound again at once after a close ({@code SO_REUSEADDR}).
 */
public final class TcpListener extends SocketListener<TcpStream> {
    private TcpListener(Scheduler scheduler, ListenerSocket socket, long acceptTimeoutNanos) {
        super(scheduler, socket, acceptTimeoutNanos);
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

    /** The address it listens on, with the real port. */
    @Override
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) super.localAddress();
    }

    @Override
    TcpStream stream(Scheduler runtime, StreamSocket accepted) {
        return new TcpStream(runtime, accepted);
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

        /**
         * Binds a listener for each worker to the same address, so that the kernel spreads connections over them
         * ({@code SO_REUSEPORT}). Whoever accepts from one on its worker, by {@link Skein#spawnOn(int, io.skein.Action)}, keeps
         * connections where they arrived.
         *
         * @return the listeners, in the order of the workers
         * @throws UnsupportedOperationException if this machine cannot share a port
         */
        public List<TcpListener> bindPerWorker(Skein skein, InetSocketAddress address) throws IOException {
            reusePort(true);
            List<TcpListener> listeners = new ArrayList<>();
            try {
                InetSocketAddress next = address;
                for (int worker = 0; worker < skein.workers(); worker++) {
                    TcpListener listener = bind(skein, next);
                    listeners.add(listener);
                    int port = listener.localAddress().getPort();
                    next = address.isUnresolved()
                            ? listener.localAddress()
                            : new InetSocketAddress(address.getAddress(), port);
                }
                return List.copyOf(listeners);
            } catch (IOException | RuntimeException | Error e) {
                listeners.forEach(TcpListener::close);
                throw e;
            }
        }

        private TcpListener bind(Scheduler scheduler, InetSocketAddress address) throws IOException {
            if (!scheduler.serves()) {
                return Caller.openFromOutside(scheduler, "bind", () -> bind(scheduler, address));
            }
            InetSocketAddress resolved = Caller.resolved(scheduler, address);
            ListenPlan plan = new ListenPlan(resolved, backlog, dualStack, List.copyOf(settings));
            return new TcpListener(scheduler, scheduler.backend().listen(scheduler, plan), acceptTimeoutNanos);
        }
    }
}
