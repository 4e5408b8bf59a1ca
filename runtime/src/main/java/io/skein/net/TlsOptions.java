package io.skein.net;

import io.skein.internal.sched.BlockingPool;
import io.skein.internal.time.Durations;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * How TLS is spoken: with whose keys and trust, which protocols, how long to wait. Immutable; each {@code with} returns a copy.
 *
 * <pre>{@code
 * TlsOptions client = TlsOptions.defaults().withApplicationProtocols("h2", "http/1.1");
 * TlsOptions server = TlsOptions.of(context).withClientAuthentication(ClientAuthentication.REQUIRED);
 * }</pre>
 *
 * <p>Keys and trust are those of an {@link SSLContext}, and so is the cache of sessions: streams that share a context resume each
 * other's sessions. A server that has several names gives its context a key manager of the {@code NewSunX509} kind, which
 * chooses the certificate that the client asks for by server name; or it has a context for each name: {@link #withContexts}.
 */
public final class TlsOptions {
    /** Whether a server wants to know who its client is. */
    public enum ClientAuthentication {
        /** It does not ask. */
        NONE,
        /** It asks, and serves a client that has no certificate too. */
        REQUESTED,
        /** It refuses a client without a certificate that it trusts. */
        REQUIRED
    }

    private static final TlsOptions DEFAULTS = new TlsOptions();

    private @Nullable SSLContext context;
    private @Nullable Function<String, @Nullable SSLContext> contexts;
    private @Nullable String serverName;
    private List<String> applicationProtocols = List.of();
    private List<String> protocols = List.of();
    private ClientAuthentication clientAuthentication = ClientAuthentication.NONE;
    private boolean verifyingHostname = true;
    private Duration handshakeTimeout = Duration.ofSeconds(10);
    private Duration readTimeout = Duration.ZERO;
    private Duration closeTimeout = Duration.ofSeconds(1);
    private Consumer<SSLParameters> tuning = parameters -> {};

    private TlsOptions() {}

    private TlsOptions(TlsOptions other) {
        context = other.context;
        contexts = other.contexts;
        serverName = other.serverName;
        applicationProtocols = other.applicationProtocols;
        protocols = other.protocols;
        clientAuthentication = other.clientAuthentication;
        verifyingHostname = other.verifyingHostname;
        handshakeTimeout = other.handshakeTimeout;
        readTimeout = other.readTimeout;
        closeTimeout = other.closeTimeout;
        tuning = other.tuning;
    }

    /** The JDK's default context: it trusts the authorities that the JDK trusts, and has no keys. */
    public static TlsOptions defaults() {
        return DEFAULTS;
    }

    /** Keys, trust and sessions of a context. */
    public static TlsOptions of(SSLContext context) {
        return of(context, DEFAULTS);
    }

    private static TlsOptions of(SSLContext context, TlsOptions others) {
        return others.with(copy -> copy.context = Objects.requireNonNull(context, "context"));
    }

    private TlsOptions with(Consumer<TlsOptions> change) {
        TlsOptions copy = new TlsOptions(this);
        change.accept(copy);
        return copy;
    }

    /**
     * The context that a server speaks with, by the name that its client asks for (SNI), in lower case. Where that is null, and for a
     * client that asks for no name, it is the context of these options. Called once for each handshake, on a thread of the blocking
     * pool, by several at once; it may block. If it throws, the handshake fails.
     *
     * <pre>{@code
     * TlsOptions options = TlsOptions.of(fallback).withContexts(Map.of("shop.example", shop, "blog.example", blog)::get);
     * }</pre>
     */
    public TlsOptions withContexts(Function<String, @Nullable SSLContext> byServerName) {
        return with(copy -> copy.contexts = Objects.requireNonNull(byServerName, "byServerName"));
    }

    /** The name that a client asks the server for, and wants to see in its certificate, in place of the host. */
    public TlsOptions withServerName(String name) {
        return with(copy -> copy.serverName = Objects.requireNonNull(name, "name"));
    }

    /**
     * The protocols spoken inside, the best first (ALPN). The server chooses: its first that the client offers too. If there is
     * none, the handshake fails.
     */
    public TlsOptions withApplicationProtocols(String... names) {
        List<String> list = List.of(names);
        return with(copy -> copy.applicationProtocols = list);
    }

    /** The versions of TLS that are spoken, such as {@code TLSv1.3}, in place of the context's. */
    public TlsOptions withProtocols(String... names) {
        List<String> list = List.of(names);
        return with(copy -> copy.protocols = list);
    }

    /** Whether a server asks its clients for a certificate. The default is {@link ClientAuthentication#NONE}. */
    public TlsOptions withClientAuthentication(ClientAuthentication authentication) {
        return with(copy -> copy.clientAuthentication = Objects.requireNonNull(authentication, "authentication"));
    }

    /**
     * Makes a client take any trusted certificate, whoever it was given to. Whoever has such a certificate can then read and change
     * what is sent.
     */
    public TlsOptions withoutHostnameVerification() {
        return with(copy -> copy.verifyingHostname = false);
    }

    /** How long a handshake may take. The default is 10 seconds. */
    public TlsOptions withHandshakeTimeout(Duration limit) {
        checkPositive(limit);
        return with(copy -> copy.handshakeTimeout = limit);
    }

    /** What {@link TlsStream#readTimeout(Duration)} is at first. By default, a read waits for ever. */
    public TlsOptions withReadTimeout(Duration limit) {
        checkPositive(limit);
        return with(copy -> copy.readTimeout = limit);
    }

    /** How long a close may take to say goodbye and to hear the peer's. The default is a second. */
    public TlsOptions withCloseTimeout(Duration limit) {
        checkPositive(limit);
        return with(copy -> copy.closeTimeout = limit);
    }

    /** Changes what else there is to choose, such as cipher suites. Called for each stream, when all other choices are made. */
    public TlsOptions withParameters(Consumer<SSLParameters> change) {
        Consumer<SSLParameters> all = tuning.andThen(change);
        return with(copy -> copy.tuning = all);
    }

    private static void checkPositive(Duration limit) {
        if (!limit.isPositive()) {
            throw new IllegalArgumentException("timeout " + Durations.text(limit) + ": it must be more than zero");
        }
    }

    Duration handshakeTimeout() {
        return handshakeTimeout;
    }

    Duration readTimeout() {
        return readTimeout;
    }

    Duration closeTimeout() {
        return closeTimeout;
    }

    /** With a context in any case. The default one reads files when it is first asked for. */
    TlsOptions loaded(BlockingPool pool) throws IOException {
        if (context != null) {
            return this;
        }
        try {
            return of(pool.call(SSLContext::getDefault), this);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("load the default TLS context: interrupted");
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new SSLException("load the default TLS context", e);
        }
    }

    /** An engine of options that are loaded. */
    SSLEngine clientEngine(String host, int port) {
        String name = withoutLastDot(serverName != null ? serverName : host);
        SSLEngine engine =
                Objects.requireNonNull(context).createSSLEngine(name, port); // by which sessions are found again
        engine.setUseClientMode(true);
        SSLParameters parameters = commonParameters(engine);
        if (verifyingHostname) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        parameters.setServerNames(toAskFor(name));
        tuning.accept(parameters);
        engine.setSSLParameters(parameters);
        return engine;
    }

    /** An engine of options that are loaded. */
    TlsEngine serverEngine(String host, int port) {
        SSLContext fallback = Objects.requireNonNull(context);
        Function<String, @Nullable SSLContext> byName = contexts;
        return byName == null
                ? TlsEngine.of(serverEngine(fallback, host, port))
                : TlsEngine.byName(name -> serverEngine(name.map(byName).orElse(fallback), host, port));
    }

    private SSLEngine serverEngine(SSLContext chosen, String host, int port) {
        SSLEngine engine = chosen.createSSLEngine(host, port);
        engine.setUseClientMode(false);
        SSLParameters parameters = commonParameters(engine);
        switch (clientAuthentication) {
            case NONE -> {}
            case REQUESTED -> parameters.setWantClientAuth(true);
            case REQUIRED -> parameters.setNeedClientAuth(true);
        }
        tuning.accept(parameters);
        engine.setSSLParameters(parameters);
        return engine;
    }

    private SSLParameters commonParameters(SSLEngine engine) {
        SSLParameters parameters = engine.getSSLParameters();
        if (!applicationProtocols.isEmpty()) {
            parameters.setApplicationProtocols(applicationProtocols.toArray(new String[0]));
        }
        if (!protocols.isEmpty()) {
            parameters.setProtocols(protocols.toArray(new String[0]));
        }
        return parameters;
    }

    /** Nothing for what is no name in the eyes of TLS: an address, or a name with an underscore. */
    private static List<SNIServerName> toAskFor(String name) {
        if (Caller.isLiteral(name)) {
            return List.of();
        }
        try {
            return List.of(new SNIHostName(name));
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    /** A name may end in a dot, a certificate's does not. */
    private static String withoutLastDot(String name) {
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }
}
