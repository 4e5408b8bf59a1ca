package io.skein.net;

import static io.skein.net.Certificates.LOCALHOST;
import static io.skein.net.Certificates.OTHER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Coroutine;
import io.skein.Setup;
import io.skein.net.TlsOptions.ClientAuthentication;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The other end is {@code openssl s_client} or {@code openssl s_server}. */
@Setup.OnePerDriver
class TlsOpensslTest extends TlsTest {
    @TempDir
    private Path folder;

    private Path localhost;
    private Path other;

    TlsOpensslTest(Setup setup) {
        super(setup);
    }

    @BeforeEach
    void writeCertificates() throws Exception {
        Openssl.assumeInstalled();
        localhost = folder.resolve("localhost.pem");
        other = folder.resolve("other.pem");
        Certificates.writePem(LOCALHOST, localhost);
        Certificates.writePem(OTHER, other);
    }

    private Openssl client(TlsListener listener, String... more) throws Exception {
        return Openssl.start(
                "s_client",
                List.of(
                        "-connect",
                        "127.0.0.1:" + listener.localAddress().getPort(),
                        "-servername",
                        LOCALHOST,
                        "-CAfile",
                        localhost.toString(),
                        "-verify_return_error"),
                more);
    }

    private Openssl server(String... more) throws Exception {
        return Openssl.start("s_server", List.of("-accept", "127.0.0.1:0", "-cert", localhost.toString()), more);
    }

    private TlsStream connect(Openssl server, TlsOptions options) throws Exception {
        int port = Integer.parseInt(server.awaitLine("ACCEPT 127.0.0.1:").replaceFirst(".*:", ""));
        return TlsStream.connect(skein, LOCALHOST, port, options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void aClientIsServedUntilItSaysGoodbye(String protocol) throws Exception {
        try (TlsListener listener = listen(serverOptions());
                Openssl client = client(listener, protocol)) {
            Coroutine<?> echo = echoOnce(listener);
            client.say("hello from openssl");
            client.awaitLine("hello from openssl");

            client.say("Q");

            echo.join();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void aClientResumesItsSession(String protocol) throws Exception {
        Path session = folder.resolve("session");
        try (TlsListener listener = listen(serverOptions())) {
            for (String expected : List.of("New, ", "Reused, ")) {
                boolean first = !Files.exists(session);
                Coroutine<?> echo = echoOnce(listener);
                try (Openssl client =
                        client(listener, protocol, first ? "-sess_out" : "-sess_in", session.toString())) {
                    client.awaitLine(expected);
                    client.say("hello");
                    client.awaitLine("hello");
                    client.say("Q");
                    client.awaitEnd();
                }
                echo.join();
            }
        }
    }

    @Test
    void aClientThatRenegotiatesIsRefused() throws Exception {
        try (TlsListener listener = listen(serverOptions());
                Openssl client = client(listener, "-tls1_2")) {
            Coroutine<?> echo = skein.spawn("server", () -> {
                try (TlsStream stream = listener.accept()) {
                    assertThatExceptionOfType(SSLException.class)
                            .isThrownBy(() -> echo(stream))
                            .withMessageContaining("renegotiation refused");
                }
            });
            client.say("hello");
            client.awaitLine("hello");

            client.say("R");

            client.awaitEnd();
            echo.join();
        }
    }

    @Test
    void newKeysThatAClientAsksForAreGivenByWhoOnlyReads() throws Exception {
        try (TlsListener listener = listen(serverOptions());
                Openssl client = client(listener, "-tls1_3", "-msg")) {
            Coroutine<?> echo = echoOnce(listener);
            client.say("hello");
            client.awaitLine("hello");

            client.say("K");

            client.awaitLine("<<< TLS 1.3, Handshake [length 0005], KeyUpdate");
            client.say("with new keys");
            client.awaitLine("with new keys");
            client.say("Q");
            echo.join();
        }
    }

    @Test
    void aClientThatIsKilledHasNotSaidGoodbye() throws Exception {
        try (TlsListener listener = listen(serverOptions());
                Openssl client = client(listener)) {
            Coroutine<?> server = skein.spawn("server", () -> {
                try (TlsStream stream = listener.accept()) {
                    assertThatExceptionOfType(SSLException.class)
                            .isThrownBy(() -> echo(stream))
                            .withMessageContaining("closed without close_notify");
                }
            });
            client.say("hello");
            client.awaitLine("hello");

            client.kill();

            server.join();
        }
    }

    @Test
    void aClientShowsItsCertificate() throws Exception {
        TlsOptions strict = serverOptions().withClientAuthentication(ClientAuthentication.REQUIRED);
        try (TlsListener listener = listen(strict);
                Openssl client = client(listener, "-cert", other.toString())) {
            try (TlsStream server = listener.accept()) {
                server.handshake();

                assertThat(server.peerCertificates()
                                .getFirst()
                                .getSubjectX500Principal()
                                .getName())
                        .isEqualTo("CN=other.example");
                client.say("Q");
                assertThat(receive(server, 1)).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void aServerAnswers(String protocol) throws Exception {
        try (Openssl server = server(protocol, "-rev", "-alpn", "reverse");
                TlsStream client = connect(server, clientOptions().withApplicationProtocols("reverse"))) {
            send(client, "hello\n");

            assertThat(receive(client, 6)).isEqualTo("olleh\n");
            assertThat(client.applicationProtocol()).contains("reverse");
        }
    }

    @Test
    void aServerThatRenegotiatesIsRefused() throws Exception {
        try (Openssl server = server("-tls1_2");
                TlsStream client = connect(server, clientOptions())) {
            send(client, "hello\n");
            server.awaitLine("hello");

            server.say("r");

            assertThatExceptionOfType(SSLException.class)
                    .isThrownBy(() -> receive(client, 100))
                    .withMessageContaining("renegotiation refused");
        }
    }

    @Test
    void aServersGoodbyeIsTheEnd() throws Exception {
        try (Openssl server = server("-rev");
                TlsStream client = connect(server, clientOptions())) {
            send(client, "CLOSE\n");

            assertThat(receive(client, 1)).isEmpty();
        }
    }

    @Test
    void aServerThatQuitsHasNotSaidGoodbye() throws Exception {
        try (Openssl server = server();
                TlsStream client = connect(server, clientOptions())) {
            server.say("hello");
            assertThat(receive(client, 6)).isEqualTo("hello\n");

            server.say("q");

            assertThatExceptionOfType(SSLException.class)
                    .isThrownBy(() -> receive(client, 1))
                    .withMessageContaining("closed without close_notify");
        }
    }
}
