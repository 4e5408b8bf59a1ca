package io.skein.net;

import io.skein.Skein;
import io.skein.internal.io.ConnectPlan;
import io.skein.internal.io.Deadline;
import io.skein.internal.io.Setting;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A TCP connection. One thread may read while another writes; {@link #close} may come from anywhere.
 *
 * <p>Reads and writes suspend a coroutine and block any other thread. Direct buffers go to the kernel as they are;
 * heap buffers are copied once. Until the call returns a buffer must not be used by others, nor its memory be freed: an
 * {@link java.lang.foreign.Arena} that it comes from must stay open. Streams send without delay ({@code TCP_NODELAY}).
 *
 * <p>An interrupt ends a wait with {@link InterruptedIOException} and leaves the interrupt status set and the stream
 * open. It loses no byte: what was received before is delivered, and a source's position says how much was sent. The same goes
 * for a timeout, which throws {@link SocketTimeoutException}.
 */
public final class TcpStream extends SocketStream {
    TcpStream(Scheduler scheduler, StreamSocket socket) {
        super(scheduler, socket);
    }

    /**
     * Connects, in the runtime of the calling coroutine.
     *
     * @throws ConnectException if the connection is refused
     * @throws UnknownHostException if the address names a host that nobody knows
     * @throws IllegalStateException if the caller is not a coroutine
     */
    public static TcpStream connect(InetSocketAddress address) throws IOException {
        return builder().connect(address);
    }

    /**
     * As {@link #connect(InetSocketAddress)}, but gives up after a while.
     *
     * @throws SocketTimeoutException if there is no connection when the timeout has passed
     */
    public static TcpStream connect(InetSocketAddress address, Duration timeout) throws IOException {
        return builder().timeout(timeout).connect(address);
    }

    /**
     * Connects, in the runtime of the calling coroutine. A host with several addresses is reached by whichever answers first:
     * see {@link Dialer}.
     *
     * @throws ConnectException if the connection is refused
     * @throws UnknownHostException if nobody knows the host
     * @throws IllegalStateException if the caller is not a coroutine
     */
    public static TcpStream connect(String host, int port) throws IOException {
        return Dialer.standard().connect(host, port);
    }

    /**
     * As {@link #connect(String, int)}, by a text such as {@code example.org:80} or {@code [::1]:80}.
     *
     * @throws IllegalArgumentException if the text is not of that form
     */
    public static TcpStream connect(String hostPort) throws IOException {
        return Dialer.standard().connect(hostPort);
    }

    /** Connects in the given runtime, from any thread. */
    public static TcpStream connect(Skein skein, InetSocketAddress address) throws IOException {
        return builder().connect(skein, address);
    }

    /** Options for a connection that is to be made. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * How many bytes have arrived and can be read without waiting; 0 at the end of the stream, too. It does not wait, and while another
     * thread reads it is a guess.
     *
     * @throws java.net.SocketException if the stream is closed
     */
    public int available() throws IOException {
        return arrived();
    }

    @Override
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) super.localAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return (InetSocketAddress) super.remoteAddress();
    }

    /** Options of a connection. Not safe for use by several threads. */
    public static final class Builder {
        private final List<Setting<?>> settings = new ArrayList<>();
        private @Nullable InetSocketAddress local;
        private long timeoutNanos = Deadline.NONE;

        private Builder() {}

        /** How long the kernel may take to connect; null or zero for as long as it wants, which is the default. */
        public Builder timeout(@Nullable Duration timeout) {
            timeoutNanos = Deadline.timeout(timeout);
            return this;
        }

        /** The address to connect from; by default the kernel's choice. Port 0 takes a free one. */
        public Builder localAddress(@Nullable InetSocketAddress address) {
            local = address;
            return this;
        }

        /** An option to set before connecting; some have no effect later. */
        public <T> Builder option(SocketOption<T> option, T value) {
            settings.add(new Setting<>(option, value));
            return this;
        }

        /** Connects as {@link TcpStream#connect(InetSocketAddress)} does. */
        public TcpStream connect(InetSocketAddress address) throws IOException {
            return connect(Caller.here(), address);
        }

        /** Connects in the given runtime, from any thread. */
        public TcpStream connect(Skein skein, InetSocketAddress address) throws IOException {
            return connect(Caller.of(skein), address);
        }

        private TcpStream connect(Scheduler scheduler, InetSocketAddress address) throws IOException {
            if (!scheduler.serves()) {
                return Caller.openFromOutside(scheduler, "connect", () -> connect(scheduler, address));
            }
            InetSocketAddress from = local == null ? null : Caller.resolved(scheduler, local);
            InetSocketAddress to = Caller.resolved(scheduler, address);
            ConnectPlan plan = new ConnectPlan(to, from, List.copyOf(settings), timeoutNanos);
            return new TcpStream(scheduler, scheduler.backend().connect(scheduler, plan));
        }
    }
}
