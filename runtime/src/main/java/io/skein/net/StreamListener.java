package io.skein.net;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.AcceptPendingException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Something that accepts connections. One thread accepts at a time; {@link #close} may come from anywhere. */
public interface StreamListener<S extends ByteStream> extends Server.Acceptor<S>, Closeable {
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
    S accept() throws IOException;

    /**
     * As {@link #accept()}, with a timeout of its own: zero for ever.
     *
     * @throws SocketTimeoutException if none comes in time; the listener goes on
     */
    S acceptWithin(Duration timeout) throws IOException;

    /** How long each {@link #accept()} from now on waits; null or zero for ever, which is the default. */
    void acceptTimeout(@Nullable Duration timeout);

    /** How long {@link #accept()} waits; zero for ever. */
    Duration acceptTimeout();

    /** The address it listens on. */
    SocketAddress localAddress();

    /** Whether it listens: nobody has closed it, nor its runtime. */
    @Override
    boolean isOpen();

    /** Stops listening. A thread in {@link #accept} gets a {@link SocketException}. Idempotent. */
    @Override
    void close();
}
