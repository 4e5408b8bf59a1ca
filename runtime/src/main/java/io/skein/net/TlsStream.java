package io.skein.net;

import io.skein.Skein;
import io.skein.internal.io.Deadline;
import io.skein.internal.linux.SocketAddresses;
import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadPendingException;
import java.nio.channels.WritePendingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A TCP connection that speaks TLS. One thread may read while another writes; {@link #close} may come from anywhere.
 *
 * <pre>{@code
 * try (TlsStream stream = TlsStream.connect("example.org", 443)) {
 *     stream.write(request);
 *     while (stream.read(answer) >= 0) { ... }
 * }
 * }</pre>
 *
 * <p>Reads and writes suspend a coroutine and block any other thread. The handshake is made by the methods that connect; on a stream
 * that was accepted, by whoever first reads, writes or calls {@link #handshake}. One that fails is not made again. There is no
 * second one either: a peer that wants to renegotiate is refused.
 *
 * <p>A client checks that the server's certificate is trusted and was given to the host that it wanted, unless its
 * {@link TlsOptions} say otherwise.
 *
 * <p>The end of the stream is the peer's {@code close_notify}. A connection that ends without it may have been cut by anybody, and
 * reading it throws an {@link SSLException} in place of returning -1.
 *
 * <p>An interrupt ends a wait with {@link InterruptedIOException} and leaves the interrupt status set and the stream open. It loses
 * no byte: what was received before is delivered, and what a source's position has passed is sent by the next write, or by
 * {@link #close}. Only an interrupted handshake is lost.
 */
public final class TlsStream implements ByteStream {
    private final Scheduler scheduler;
    private final TcpStream transport;
    private final TlsEngine engine;
    private final TlsConnection connection;

    /** What was read ahead for a delimiter, or came and no file took it; null before anybody needs that. Of who reads. */
    private @Nullable BufferedSource ahead;

    private TlsStream(TcpStream transport, TlsOptions options, TlsEngine engine) {
        this.scheduler = transport.scheduler();
        this.transport = transport;
        this.engine = engine;
        this.connection = new TlsConnection(transport, options, engine, scheduler);
    }

    /**
     * Connects and makes the handshake, with the JDK's default context, in the runtime of the calling coroutine.
     *
     * @throws IllegalStateException if the caller is not a coroutine
     */
    public static TlsStream connect(String host, int port) throws IOException {
        return connect(host, port, TlsOptions.defaults());
    }

    /**
     * Connects and makes the handshake, in the runtime of the calling coroutine.
     *
     * @throws SSLException if the handshake fails; the message says why
     * @throws SocketTimeoutException if the handshake is not done in time
     * @throws IllegalStateException if the caller is not a coroutine
     */
    public static TlsStream connect(String host, int port, TlsOptions options) throws IOException {
        return over(TcpStream.connect(host, port), host, options);
    }

    /** Connects and makes the handshake in the given runtime, from any thread. */
    public static TlsStream connect(Skein skein, String host, int port, TlsOptions options) throws IOException {
        Scheduler scheduler = Caller.of(skein);
        return scheduler.serves()
                ? connect(host, port, options)
                : Caller.openFromOutside(scheduler, "connect", () -> connect(host, port, options));
    }

    /**
     * Makes the handshake of a client on a connection that is there already, as after {@code STARTTLS}. The connection belongs to
     * the stream from now on, and is closed if this fails.
     *
     * @param host whom the other end should be
     */
    public static TlsStream over(TcpStream connection, String host, TlsOptions options) throws IOException {
        int port = connection.remoteAddress().getPort();
        TlsStream stream = over(connection, options, loaded -> TlsEngine.of(loaded.clientEngine(host, port)));
        try {
            stream.handshake();
            return stream;
        } catch (Throwable e) {
            stream.close();
            throw e;
        }
    }

    /**
     * The server's end on a connection that is there already. Its handshake is still to be made. The connection belongs to the
     * stream from now on, and is closed if this fails.
     */
    public static TlsStream serverOver(TcpStream connection, TlsOptions options) throws IOException {
        InetSocketAddress client = connection.remoteAddress();
        return over(
                connection,
                options,
                loaded -> loaded.serverEngine(client.getAddress().getHostAddress(), client.getPort()));
    }

    private static TlsStream over(TcpStream connection, TlsOptions options, Function<TlsOptions, TlsEngine> engines)
            throws IOException {
        try {
            TlsOptions loaded = options.loaded(connection.scheduler().blockingPool());
            return new TlsStream(connection, loaded, engines.apply(loaded));
        } catch (Throwable e) {
            connection.close();
            throw e;
        }
    }

    /**
     * Makes the handshake, or waits for whoever is making it. Does nothing if it is done.
     *
     * @throws SSLException if it fails, or has failed before; the message says why
     * @throws SocketTimeoutException if it is not done in time
     * @throws InterruptedIOException if the thread is interrupted; if it was making it, the handshake has failed
     */
    public void handshake() throws IOException {
        if (!connection.isHandshakeDone()) {
            inCoroutine("handshake", connection::handshake);
        }
    }

    /**
     * Reads what has arrived, waiting until something has.
     *
     * @return the count of bytes, at least 1; -1 after the peer's {@code close_notify}; 0 only if the target has no room
     * @throws SSLException if the connection ended without {@code close_notify}, the peer breaks the protocol, wants to
     *     renegotiate, or the handshake fails
     * @throws SocketTimeoutException if nothing arrives in time; the stream stays usable
     * @throws SocketException if the stream is closed, here or by a reset of the peer
     * @throws InterruptedIOException if the thread is interrupted
     * @throws ReadPendingException if another thread is reading
     * @throws ReadOnlyBufferException if the target is read-only
     */
    @Override
    public int read(ByteBuffer target) throws IOException {
        BufferedSource readAhead = ahead;
        return readAhead == null ? readDirectly(target) : readAhead.read(target);
    }

    private int readDirectly(ByteBuffer target) throws IOException {
        if (target.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        if (!scheduler.serves()) {
            return Caller.fromOutside(scheduler, "read", () -> readDirectly(target));
        }
        return connection.read(target);
    }

    @Override
    public byte[] readUntil(byte delimiter, int limit) throws IOException {
        return ahead().readUntil(delimiter, limit);
    }

    @Override
    public long transferTo(FileChannel target, long position, long count) throws IOException {
        return ahead().transferTo(target, position, count);
    }

    private BufferedSource ahead() {
        BufferedSource readAhead = ahead;
        if (readAhead == null) {
            readAhead = new BufferedSource(new DirectSource(this, this::readDirectly));
            ahead = readAhead;
        }
        return readAhead;
    }

    /**
     * Writes everything that remains in the source.
     *
     * @throws SSLException if the handshake fails
     * @throws SocketTimeoutException if it takes too long; as with an interrupt, the stream stays usable
     * @throws SocketException if the stream or its output is closed, here or by the peer
     * @throws InterruptedIOException if the thread is interrupted; what the source's position has passed is sent later
     * @throws WritePendingException if another thread is writing
     */
    @Override
    public void write(ByteBuffer source) throws IOException {
        inCoroutine("write", () -> connection.write(source));
    }

    /**
     * Tells the peer by {@code close_notify} that no more will be written; it reads the end of the stream. Reading goes on. With
     * TLS 1.2 and before, a peer may answer by closing its own output at once.
     *
     * <p>A thread that is writing gets a {@link SocketException}: broken pipe. Then the peer is told nothing, as its message is not
     * complete: after what has arrived of it, reading throws an {@link SSLException} there.
     */
    @Override
    public void shutdownOutput() throws IOException {
        inCoroutine("shutdown", connection::shutdownOutput);
    }

    private void inCoroutine(String operation, Caller.Action action) throws IOException {
        if (scheduler.serves()) {
            action.run();
        } else {
            Caller.runFromOutside(scheduler, operation, action);
        }
    }

    /** How long each read from now on waits for bytes of an idle peer; null or zero for ever. */
    @Override
    public void readTimeout(@Nullable Duration timeout) {
        connection.readTimeout(Duration.ofNanos(Deadline.timeout(timeout)));
    }

    @Override
    public Duration readTimeout() {
        return connection.readTimeout();
    }

    @Override
    public void writeTimeout(@Nullable Duration timeout) {
        connection.writeTimeout(Duration.ofNanos(Deadline.timeout(timeout)));
    }

    @Override
    public Duration writeTimeout() {
        return connection.writeTimeout();
    }

    /** The session, with its protocol, cipher suite and certificates. The handshake is done. */
    public SSLSession session() {
        checkHandshake();
        return engine.get().getSession();
    }

    /** The protocol spoken inside that was agreed upon (ALPN); empty if nothing was. The handshake is done. */
    public Optional<String> applicationProtocol() {
        checkHandshake();
        return Optional.ofNullable(engine.get().getApplicationProtocol()).filter(name -> !name.isEmpty());
    }

    /** The peer's certificate, and those that vouch for it; empty if it has shown none. The handshake is done. */
    public List<X509Certificate> peerCertificates() {
        checkHandshake();
        try {
            return Arrays.stream(engine.get().getSession().getPeerCertificates())
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (SSLPeerUnverifiedException e) {
            return List.of();
        }
    }

    /** The name that the client asked for (SNI); empty if it asked for none. The handshake is done. */
    public Optional<String> serverName() {
        checkHandshake();
        return engine.get().getSession() instanceof ExtendedSSLSession session
                ? session.getRequestedServerNames().stream()
                        .filter(SNIHostName.class::isInstance)
                        .map(name -> ((SNIHostName) name).getAsciiName())
                        .findFirst()
                : Optional.empty();
    }

    private void checkHandshake() {
        if (!connection.isHandshakeDone()) {
            throw new IllegalStateException(this + ": the handshake is not done; call handshake() first");
        }
    }

    @Override
    public InetSocketAddress localAddress() {
        return transport.localAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return transport.remoteAddress();
    }

    /**
     * Closes the connection. A thread that reads or writes gets a {@link SocketException}. Idempotent.
     *
     * <p>If nobody is writing, it sends {@code close_notify}, and if nobody is reading, it waits for the peer's, both for no longer
     * than the options say. A thread that is interrupted does not wait for the peer's.
     */
    @Override
    public void close() {
        if (connection.beginClose()) {
            Caller.close(scheduler, () -> {
                if (scheduler.serves()) {
                    connection.endClose();
                } else { // the runtime is closed
                    connection.abandon();
                }
            });
        }
    }

    @Override
    public String toString() {
        return "TlsStream[" + SocketAddresses.text(localAddress()) + " to " + SocketAddresses.text(remoteAddress())
                + "]";
    }
}
