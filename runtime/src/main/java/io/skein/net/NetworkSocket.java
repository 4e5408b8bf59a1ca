package io.skein.net;

import io.skein.internal.io.BoundSocket;
import io.skein.internal.sched.Scheduler;
import java.io.Closeable;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.util.Set;

/**
 * What sockets of all kinds have: options, an address and an end. Any thread may call it.
 *
 * <p>One that nobody refers to any more is closed some time later, and a line in the log says so. Who is inside refers
 * to it until he is out again.
 */
public abstract sealed class NetworkSocket implements Closeable permits SocketListener, SocketStream, UdpSocket {
    final Scheduler scheduler;

    /** The handle of a socket that is open. */
    NetworkSocket(Scheduler scheduler, BoundSocket socket) {
        this.scheduler = scheduler;
        scheduler.leaks().watch(this, socket);
    }

    abstract BoundSocket socket();

    /**
     * Sets an option: of {@link java.net.StandardSocketOptions}, of {@link SocketOptions}, or of {@code jdk.net}.
     *
     * @throws UnsupportedOperationException if this socket has no such option
     */
    public final <T> void setOption(SocketOption<T> option, T value) throws IOException {
        try {
            socket().setOption(option, value);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * The present value of an option. The kernel may have changed what was set: buffer sizes are hints.
     *
     * @throws UnsupportedOperationException if this socket has no such option
     */
    public final <T> T getOption(SocketOption<T> option) throws IOException {
        try {
            return socket().getOption(option);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** The options that this socket has. */
    public final Set<SocketOption<?>> supportedOptions() {
        return socket().supportedOptions();
    }

    /** The address it is bound to, with the real port if it has one. */
    public SocketAddress localAddress() {
        return socket().localAddress();
    }

    /** Whether nobody has closed it, nor its runtime. */
    public final boolean isOpen() {
        return socket().isOpen();
    }

    /** Closes the socket. Whoever waits in it gets a {@link java.net.SocketException}. Idempotent. */
    @Override
    public final void close() {
        if (scheduler.serves()) {
            socket().close();
        } else {
            // A coroutine that waits inside may hold the only worker there is, so it is woken by the caller itself.
            Runnable rest = socket().beginClose();
            if (rest != null) {
                try {
                    Caller.close(scheduler, rest);
                } catch (Throwable e) { // there may be no coroutine for it
                    rest.run(); // which does nothing if it has begun
                    throw e;
                }
            }
        }
        scheduler.leaks().look();
    }
}
