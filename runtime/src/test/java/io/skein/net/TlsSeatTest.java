package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Coroutine;
import io.skein.Setup;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The JDK's TLS over Skein's sockets, with the JDK's own on the other side. */
@Setup.OnePerDriver
class TlsSeatTest extends SeatTest {
    private static final String PASSWORD = "secret";

    @TempDir
    private static Path folder;

    private static SSLContext context;

    TlsSeatTest(Setup setup) {
        super(setup);
    }

    @BeforeAll
    static void makeCertificate() throws Exception {
        Path store = folder.resolve("keys.p12");
        if (!Files.exists(store)) {
            Path output = folder.resolve("keytool.log");
            int exit = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-alias",
                            "test",
                            "-keyalg",
                            "EC",
                            "-dname",
                            "CN=localhost",
                            "-ext",
                            "san=dns:localhost,ip:127.0.0.1",
                            "-keystore",
                            store.toString(),
                            "-storepass",
                            PASSWORD)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start()
                    .waitFor();
            assertThat(exit)
                    .as("keytool's exit; it said %s", Files.readString(output))
                    .isZero();
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD.toCharArray());
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    }

    private static SSLServerSocket listenPlainly() throws IOException {
        return (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0, 50, HOST);
    }

    private static void answer(Socket accepted) throws IOException {
        try (accepted) {
            send(accepted, receive(accepted, 5));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSocketOfTheFactorySpeaksTls(User user) throws Exception {
        try (SSLServerSocket listening = listenPlainly()) {
            Coroutine<?> server = skein.spawn(() -> answer(listening.accept()));
            as(user, () -> {
                try (Socket socket =
                        skein.sslSocketFactory(context).createSocket("localhost", listening.getLocalPort())) {
                    send(socket, "hello");
                    assertThat(receive(socket, 5)).isEqualTo("hello");
                    assertThat(((SSLSocket) socket).getSession().getProtocol()).startsWith("TLSv1.");
                }
            });
            server.join();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theJdksFactoryLayersTlsOverAConnectedSocket(User user) throws Exception {
        try (SSLServerSocket listening = listenPlainly()) {
            Coroutine<?> server = skein.spawn(() -> answer(listening.accept()));
            as(user, () -> {
                Socket below = skein.socketFactory().createSocket("127.0.0.1", listening.getLocalPort());
                try (Socket socket =
                        context.getSocketFactory().createSocket(below, "localhost", listening.getLocalPort(), true)) {
                    send(socket, "hello");
                    assertThat(receive(socket, 5)).isEqualTo("hello");
                }
                assertThat(below.isClosed()).isTrue();
            });
            server.join();
        }
    }

    @Test
    void anAcceptedSocketIsLayeredToo() throws Exception {
        try (ServerSocket listening = skein.serverSocketFactory().createServerSocket(0, 50, HOST)) {
            Coroutine<?> server = skein.spawn(() -> {
                SSLSocket layered = (SSLSocket) context.getSocketFactory().createSocket(listening.accept(), null, true);
                answer(layered);
            });
            try (Socket client = context.getSocketFactory().createSocket(HOST, listening.getLocalPort())) {
                send(client, "hello");
                assertThat(receive(client, 5)).isEqualTo("hello");
            }
            server.join();
        }
    }

    @Test
    void anUnconnectedOneCannotBeHad() {
        assertThatExceptionOfType(SocketException.class)
                .isThrownBy(() -> skein.sslSocketFactory(context).createSocket());
    }
}
