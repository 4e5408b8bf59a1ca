package io.skein.net;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * A connection's engine: there from the beginning, or made when the client has told whom it wants. It is chosen once, by who makes
 * the handshake, before anybody else asks for it.
 */
final class TlsEngine {
    private final @Nullable Function<Optional<String>, SSLEngine> byName;
    private volatile @Nullable SSLEngine engine;

    private TlsEngine(@Nullable SSLEngine engine, @Nullable Function<Optional<String>, SSLEngine> byName) {
        this.engine = engine;
        this.byName = byName;
    }

    static TlsEngine of(SSLEngine engine) {
        return new TlsEngine(engine, null);
    }

    /**
     * One that is still to be made.
     *
     * @param byName makes it, for the name that the client asks for; it may block
     */
    static TlsEngine byName(Function<Optional<String>, SSLEngine> byName) {
        return new TlsEngine(null, byName);
    }

    boolean isChosen() {
        return engine != null;
    }

    void choose(Optional<String> name) {
        engine = Objects.requireNonNull(byName).apply(name);
    }

    SSLEngine get() {
        return Objects.requireNonNull(engine, "the engine is not chosen yet");
    }
}
