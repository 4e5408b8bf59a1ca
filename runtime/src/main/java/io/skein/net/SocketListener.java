package io.skein.net;

import io.skein.internal.io.Deadline;
import io.skein.internal.io.ListenerSocket;
import io.skein.internal.io.StreamSocket;
import io.skein.internal.linux.SocketAddresses;
import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.lang.ref.Reference;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A listener over a socket of the runtime's backend. Thread safety is that of every {@link StreamListener}. */
abstract sealed class SocketListener<S extends SocketStream> extends NetworkSocket implements StreamListener<S>
        permits TcpListener, UnixListener {
    private final ListenerSocket socket;
    private volatile long acceptTimeoutNanos;

    SocketListener(Scheduler scheduler, ListenerSocket socket, long acceptTimeoutNanos) {
        super(scheduler, socket);
        this.socket = socket;
        this.acceptTimeoutNanos = acceptTimeoutNanos;
    }

    @Override
    final ListenerSocket socket() {
        return socket;
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
        if (!scheduler.serves()) {
            return Caller.openFromOutside(scheduler, "accept", () -> acceptWithin(timeoutNanos));
        }
        StreamSocket accepted;
        try {
            accepted = socket.accept(timeoutNanos);
        } finally {
            Reference.reachabilityFence(this); // until here nobody else may close it as forgotten
        }
        try {
            return stream(scheduler, accepted);
        } catch (Throwable e) { // too little memory, say
            accepted.close();
            throw e;
        }
    }

    @Override
    public void acceptTimeout(@Nullable Duration timeout) {
        acceptTimeoutNanos = Deadline.timeout(timeout);
    }

    @Override
    public Duration acceptTimeout() {
        return Duration.ofNanos(acceptTimeoutNanos);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + SocketAddresses.text(localAddress()) + "]";
    }
}
