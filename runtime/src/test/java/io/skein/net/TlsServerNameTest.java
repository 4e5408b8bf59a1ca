package io.skein.net;

import static io.skein.net.Certificates.LOCALHOST;
import static io.skein.net.Certificates.OTHER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Coroutine;
import io.skein.Setup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server with a context for each of its names. */
@Setup.OnePerDriver
class TlsServerNameTest extends TlsTest {
    @TempDir
    private Path folder;

    /** The other one's keys alone. */
    private final SSLContext otherContext;

    TlsServerNameTest(Setup setup) throws Exception {
        super(setup);
        otherContext = Certificates.context(List.of(OTHER), List.of());
    }

    private TlsOptions byName() {
        return serverOptions().withContexts(Map.of(OTHER, otherContext)::get);
    }

    private static String subject(TlsStream stream) {
        return stream.peerCertificates().getFirst().getSubjectX500Principal().getName();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void theContextIsTheOneOfTheNameThatTheClientAsksFor(String protocol) throws Exception {
        TlsOptions client = clientOptions().withProtocols(protocol);
        try (TlsListener listener = listen(byName())) {
            try (TlsPair pair = tlsPair(listener, client.withServerName("Other.Example"))) {
                assertThat(subject(pair.client)).isEqualTo("CN=other.example");
                assertThat(pair.server.serverName())
                        .hasValueSatisfying(name -> assertThat(name).isEqualToIgnoringCase(OTHER));
                send(pair.client, "hello");
                assertThat(receive(pair.server, 5)).isEqualTo("hello");
            }
            try (TlsPair pair = tlsPair(listener, client)) {
                assertThat(subject(pair.client)).isEqualTo("CN=localhost"); // the fallback's
            }
        }
    }

    @Test
    void aClientWithoutANameGetsTheContextOfTheOptions() throws Exception {
        try (TlsListener listener = listen(byName())) {
            int port = listener.localAddress().getPort();
            Coroutine<TlsStream> connecting = skein.spawn(() -> TlsStream.connect("127.0.0.1", port, clientOptions()));
            TlsStream server = listener.accept();
            server.handshake();
            try (TlsPair pair = new TlsPair(connecting.join(), server)) {
                assertThat(subject(pair.client)).isEqualTo("CN=localhost");
                assertThat(pair.server.serverName()).isEmpty();
            }
        }
    }

    @Test
    void aChoiceThatFailsEndsTheHandshakeAndSaysWhy() throws Exception {
        TlsOptions broken = serverOptions().withContexts(_ -> {
            throw new IllegalStateException("no such shop");
        });
        try (TlsListener listener = listen(broken)) {
            Coroutine<?> connecting = skein.spawn(() -> {
                assertThatExceptionOfType(IOException.class).isThrownBy(() -> connect(listener, clientOptions()));
            });
            try (TlsStream server = listener.accept()) {
                assertThatExceptionOfType(SSLException.class)
                        .isThrownBy(server::handshake)
                        .withMessageContaining("no context for localhost")
                        .withRootCauseInstanceOf(IllegalStateException.class);
                assertThatExceptionOfType(SSLException.class)
                        .isThrownBy(() -> receive(server, 1))
                        .withMessageContaining("failed before");
            }
            connecting.join();
        }
    }

    @Test
    void garbageInPlaceOfAHelloIsRefused() throws Exception {
        try (TlsListener listener = listen(byName());
                TcpStream client = TcpStream.connect(skein, listener.localAddress());
                TlsStream server = listener.accept()) {
            send(client, "GET / HTTP/1.1\r\n\r\n");
            assertThatExceptionOfType(SSLException.class).isThrownBy(server::handshake);
            client.shutdownOutput();
        }
    }

    @Test
    void aClientThatLeavesInTheMiddleOfItsHelloIsToldOf() throws Exception {
        try (TlsListener listener = listen(byName());
                TcpStream client = TcpStream.connect(skein, listener.localAddress());
                TlsStream server = listener.accept()) {
            send(client, "\u0016\u0003\u0001\u0001\u0000\u0001");
            client.shutdownOutput();
            assertThatExceptionOfType(SSLException.class)
                    .isThrownBy(server::handshake)
                    .withMessageContaining("closed by the peer");
        }
    }

    @Test
    void aSocketOfTheJdkGetsWhatItAsksFor() throws Exception {
        try (TlsListener listener = listen(byName());
                SSLSocket client = (SSLSocket) clientContext
                        .getSocketFactory()
                        .createSocket("127.0.0.1", listener.localAddress().getPort())) {
            Coroutine<?> echo = echoOnce(listener);
            SSLParameters parameters = client.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(OTHER)));
            client.setSSLParameters(parameters);

            client.getOutputStream().write("hello".getBytes(StandardCharsets.UTF_8));

            assertThat(client.getInputStream().readNBytes(5)).hasSize(5);
            assertThat(client.getSession().getPeerPrincipal().getName()).isEqualTo("CN=other.example");
            client.shutdownOutput();
            echo.join();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {OTHER, LOCALHOST})
    void opensslGetsWhatItAsksFor(String name) throws Exception {
        Openssl.assumeInstalled();
        Path certificate = folder.resolve("certificate.pem");
        Certificates.writePem(name, certificate);
        try (TlsListener listener = listen(byName());
                Openssl client = Openssl.start(
                        "s_client",
                        List.of(
                                "-connect",
                                "127.0.0.1:" + listener.localAddress().getPort(),
                                "-servername",
                                name,
                                "-verify_hostname",
                                name,
                                "-CAfile",
                                certificate.toString(),
                                "-verify_return_error"))) {
            Coroutine<?> echo = echoOnce(listener);
            client.say("hello from openssl");
            client.awaitLine("hello from openssl");
            client.say("Q");
            echo.join();
        }
    }
}
