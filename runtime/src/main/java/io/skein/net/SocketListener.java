package io.skein.net;

import io.skein.internal.io.Deadline;
import io.skein.internal.io.ListenerSocket;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.linux.SocketAddresses;
import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A listener over a socket of the runtime's backend. Thread safety is that of every {@link StreamListener}. */
abstract sealed class SocketListener<S extends SocketStream> implements StreamListener<S>
        permits TcpListener, UnixListener {
    private final Scheduler scheduler;
    private final ListenerSocket socket;
    private volatile long acceptTimeoutNanos;

    SocketListener(Scheduler scheduler, ListenerSocket socket, long acceptTimeoutNanos) {
        this.scheduler = scheduler;
        this.socket = socket;
        this.acceptTimeoutNanos = acceptTimeoutNanos;
    }

    /** What an accepted socket is to users. */
    abstract S stream(Scheduler runtime, StreamSocket accepted);

    @Override
    public S accept() throws IOException {
        return acceptWithin(acceptTimeoutNanos);
    }

    @Override
    public S acceptWithin(Duration timeout) throws IOException {
        return acceptWithin(Deadline.timeout(timeout));
    }

    private S acceptWithin(long timeoutNanos) throws IOException {
        return scheduler.serves()
                ? stream(scheduler, socket.accept(timeoutNanos))
                : Caller.fromOutside(scheduler, "accept", () -> acceptWithin(timeoutNanos));
    }

    @Override
    public void acceptTimeout(@Nullable Duration timeout) {
        acceptTimeoutNanos = Deadline.timeout(timeout);
    }

    @Override
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

    @Override
    public SocketAddress localAddress() {
        return socket.localAddress();
    }

    @Override
    public void close() {
        Caller.close(scheduler, socket::close);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + SocketAddresses.text(localAddress()) + "]";
    }
}
