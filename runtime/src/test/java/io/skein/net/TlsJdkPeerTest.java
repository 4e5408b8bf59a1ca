package io.skein.net;

import static io.skein.net.Certificates.LOCALHOST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The other end is a socket of the JDK. */
@Setup.OnePerDriver
class TlsJdkPeerTest extends TlsTest {
    private static final int LENGTH = 1 << 20;

    TlsJdkPeerTest(Setup setup) {
        super(setup);
    }

    private SSLSocket jdkClient(TlsListener listener, String protocol) throws IOException {
        SSLSocket client = (SSLSocket) clientContext
                .getSocketFactory()
                .createSocket(LOOPBACK.getAddress(), listener.localAddress().getPort());
        client.setEnabledProtocols(new String[] {protocol});
        return client;
    }

    /** An echo server of the JDK for one connection, in a thread of its own. */
    private static FutureTask<Boolean> jdkEcho(SSLServerSocket listener) {
        FutureTask<Boolean> serving = new FutureTask<>(() -> {
            try (SSLSocket socket = (SSLSocket) listener.accept()) {
                socket.getInputStream().transferTo(socket.getOutputStream());
            }
            return true;
        });
        Thread.ofPlatform().name("junit-jdk-echo").daemon().start(serving);
        return serving;
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aClientOfTheJdkTalksToAListener(String protocol) throws Exception {
        try (TlsListener listener = listen(serverOptions())) {
            Coroutine<?> echo = echoOnce(listener);
            byte[] sent = randomBytes();
            try (SSLSocket client = jdkClient(listener, protocol)) {
                client.startHandshake();
                FutureTask<byte[]> receiving =
                        new FutureTask<>(() -> client.getInputStream().readNBytes(LENGTH));
                Thread.ofPlatform().name("junit-jdk-reader").daemon().start(receiving);
                client.getOutputStream().write(sent);

                assertThat(receiving.get()).isEqualTo(sent);
                assertThat(client.getSession().getProtocol()).isEqualTo(protocol);
            }
            echo.join(); // it has read the end of the stream
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aStreamTalksToAServerOfTheJdk(String protocol) throws Exception {
        try (SSLServerSocket listener = (SSLServerSocket)
                serverContext.getServerSocketFactory().createServerSocket(0, 50, LOOPBACK.getAddress())) {
            FutureTask<Boolean> serving = jdkEcho(listener);
            ByteBuffer sent = ByteBuffer.wrap(randomBytes());
            try (TlsStream client = TlsStream.connect(
                    skein, LOCALHOST, listener.getLocalPort(), clientOptions().withProtocols(protocol))) {
                Coroutine<?> writer = skein.spawn("writer", () -> client.write(sent.duplicate()));
                ByteBuffer received = ByteBuffer.allocate(LENGTH);
                while (received.hasRemaining() && client.read(received) >= 0) {}

                assertThat(received.flip().mismatch(sent)).isEqualTo(-1);
                assertThat(client.session().getProtocol()).isEqualTo(protocol);
                writer.join();
            }
            assertThat(serving.get()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void theCloseOfAStreamIsTheEndForASocketOfTheJdk(String protocol) throws Exception {
        try (TlsListener listener = listen(serverOptions())) {
            Coroutine<?> server = skein.spawn("server", () -> {
                try (TlsStream stream = listener.accept()) {
                    send(stream, "bye");
                }
            });
            try (SSLSocket client = jdkClient(listener, protocol)) {
                byte[] all = client.getInputStream().readAllBytes();

                assertThat(new String(all, StandardCharsets.UTF_8)).isEqualTo("bye");
            }
            server.join();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2"})
    void aClientOfTheJdkThatRenegotiatesIsRefused(String protocol) throws Exception {
        try (TlsListener listener = listen(serverOptions());
                SSLSocket client = jdkClient(listener, protocol)) {
            Coroutine<?> server = skein.spawn("server", () -> {
                try (TlsStream stream = listener.accept()) {
                    assertThat(receive(stream, 1)).isEqualTo("1");
                    assertThatExceptionOfType(SSLException.class)
                            .isThrownBy(() -> receive(stream, 1))
                            .withMessageContaining("renegotiation refused");
                }
            });
            client.getOutputStream().write('1');
            client.startHandshake(); // only sends the first message of it

            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> client.getInputStream().read());
            Await.until("the server ends", server::isDone);
            server.join();
        }
    }

    private static byte[] randomBytes() {
        byte[] bytes = new byte[LENGTH];
        new Random(7).nextBytes(bytes);
        return bytes;
    }
}
