package io.skein.net;

import io.skein.Skein;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.AcceptPendingException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A TCP socket that accepts connections which speak TLS. One thread accepts at a time; {@link #close} may come from anywhere.
 *
 * <p>{@link #accept} waits for a connection and not for its handshake, which the stream makes when it is first read, written or told
 * to: so a client that stalls keeps nobody else waiting.
 */
public final class TlsListener implements StreamListener<TlsStream> {
    private final TcpListener listener;
    private final TlsOptions options;

    private TlsListener(TcpListener listener, TlsOptions options) {
        this.listener = listener;
        this.options = options;
    }

    /**
     * Binds and listens, in the runtime of the calling coroutine. Port 0 takes a free one.
     *
     * @throws BindException if the address is in use or not this machine's
     * @throws UnknownHostException if the address names a host that nobody knows
     * @throws IllegalStateException if the caller is not a coroutine
     */
    public static TlsListener bind(InetSocketAddress address, TlsOptions options) throws IOException {
        return new TlsListener(TcpListener.bind(address), options);
    }

    /**
     * Binds and listens, in the runtime of the calling coroutine. Port 0 takes a free one.
     *
     * @throws BindException if the address is in use or not this machine's
     * @throws UnknownHostException if nobody knows the host
     * @throws IllegalStateException if the caller is not a coroutine
     */
    public static TlsListener bind(String host, int port, TlsOptions options) throws IOException {
        return new TlsListener(TcpListener.bind(host, port), options);
    }

    /** Binds and listens in the given runtime, from any thread. */
    public static TlsListener bind(Skein skein, InetSocketAddress address, TlsOptions options) throws IOException {
        return new TlsListener(TcpListener.bind(skein, address), options);
    }

    /** Speaks TLS on what a listener accepts, which belongs to this one from now on. */
    public static TlsListener over(TcpListener listener, TlsOptions options) {
        return new TlsListener(listener, options);
    }

    /**
     * Waits for a connection. Its handshake is still to be made.
     *
     * @throws SocketException if the listener is closed
     * @throws InterruptedIOException if the thread is interrupted; its interrupt status stays set
     * @throws AcceptPendingException if another thread is accepting
     */
    @Override
    public TlsStream accept() throws IOException {
        return TlsStream.serverOver(listener.accept(), options);
    }

    @Override
    public TlsStream acceptWithin(Duration timeout) throws IOException {
        return TlsStream.serverOver(listener.acceptWithin(timeout), options);
    }

    @Override
    public void acceptTimeout(@Nullable Duration timeout) {
        listener.acceptTimeout(timeout);
    }

    @Override
    public Duration acceptTimeout() {
        return listener.acceptTimeout();
    }

    /** The address it listens on, with the real port. */
    @Override
    public InetSocketAddress localAddress() {
        return listener.localAddress();
    }

    @Override
    public boolean isOpen() {
        return listener.isOpen();
    }

    /** Stops listening. A thread in {@link #accept} gets a {@link SocketException}. Idempotent. */
    @Override
    public void close() {
        listener.close();
    }

    @Override
    public String toString() {
        return listener.toString().replaceFirst("^Tcp", "Tls");
    }
}
