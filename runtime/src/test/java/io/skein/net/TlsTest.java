package io.skein.net;

import static io.skein.net.Certificates.LOCALHOST;
import static io.skein.net.Certificates.OTHER;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;

/** What the tests of TLS share: contexts, both ends of a connection, and text in place of buffers. */
abstract class TlsTest extends NetworkTest {
    /** More than the kernel keeps for a peer that does not read. */
    static final int TOO_MUCH = 48 << 20;

    private static final Duration BOUND = Duration.ofSeconds(30);

    /** The server that is localhost; it trusts the other one's certificate. */
    final SSLContext serverContext;

    /** A client that trusts the server and has no key. */
    final SSLContext clientContext;

    TlsTest(Setup setup) {
        super(setup);
        try {
            serverContext = Certificates.context(List.of(LOCALHOST), List.of(OTHER));
            clientContext = Certificates.context(List.of(), List.of(LOCALHOST, OTHER));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Two streams of one connection, whose handshake is done. */
    final class TlsPair implements AutoCloseable {
        final TlsStream client;
        final TlsStream server;

        TlsPair(TlsStream client, TlsStream server) {
            this.client = client;
            this.server = server;
        }

        /** Both at once, since each waits for the other's goodbye. */
        @Override
        public void close() {
            Coroutine<?> closing = skein.spawn("closer", client::close);
            server.close();
            Await.until("the client is closed", closing::isDone);
        }
    }

    TlsOptions serverOptions() {
        return patient(serverContext);
    }

    TlsOptions clientOptions() {
        return patient(clientContext);
    }

    /** With limits that no machine is too slow for. */
    static TlsOptions patient(SSLContext context) {
        return TlsOptions.of(context).withHandshakeTimeout(BOUND).withCloseTimeout(BOUND);
    }

    TlsListener listen(TlsOptions options) throws IOException {
        return TlsListener.bind(skein, LOOPBACK, options);
    }

    TlsPair tlsPair() throws Exception {
        return tlsPair(clientOptions(), serverOptions());
    }

    TlsPair tlsPair(TlsOptions client, TlsOptions server) throws Exception {
        try (TlsListener listener = listen(server)) {
            return tlsPair(listener, client);
        }
    }

    TlsPair tlsPair(TlsListener listener, TlsOptions options) throws Exception {
        Coroutine<TlsStream> connecting = skein.spawn("client", () -> connect(listener, options));
        TlsStream server = listener.accept();
        server.handshake();
        return new TlsPair(connecting.join(), server);
    }

    TlsStream connect(TlsListener listener, TlsOptions options) throws IOException {
        return TlsStream.connect(skein, LOCALHOST, listener.localAddress().getPort(), options);
    }

    static void send(TlsStream stream, String text) throws IOException {
        stream.write(bytes(text));
    }

    /** Reads exactly {@code length} bytes, or less at the end of the stream. */
    static String receive(TlsStream stream, int length) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(length);
        while (target.hasRemaining() && stream.read(target) >= 0) {}
        return StandardCharsets.UTF_8.decode(target.flip()).toString();
    }

    /** Sends everything back until the peer has no more to say. */
    static void echo(TlsStream stream) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(4096);
        while (stream.read(buffer) >= 0) {
            stream.write(buffer.flip());
            buffer.clear();
        }
    }

    /** A coroutine that echoes on the next connection and then ends. */
    Coroutine<?> echoOnce(TlsListener listener) {
        return skein.spawn("echo", () -> {
            try (TlsStream stream = listener.accept()) {
                echo(stream);
            }
        });
    }
}
