package io.skein.net;

import static io.skein.net.Certificates.LOCALHOST;
import static io.skein.net.Certificates.OTHER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import io.skein.net.TlsOptions.ClientAuthentication;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

@Setup.OnePerDriver
class TlsHandshakeTest extends TlsTest {
    TlsHandshakeTest(Setup setup) {
        super(setup);
    }

    /** What became of the server's side of a connection that the client did not get. */
    private Coroutine<IOException> refusedByServer(TlsListener listener) {
        return skein.spawn("server", () -> {
            try (TlsStream stream = listener.accept()) {
                stream.handshake();
                receive(stream, 1);
                throw new AssertionError("the handshake succeeded");
            } catch (IOException refused) {
                return refused;
            }
        });
    }

    private void serves(TlsListener listener) throws Exception {
        try (TlsPair pair = tlsPair(listener, clientOptions())) {
            send(pair.client, "hello");
            assertThat(receive(pair.server, 5)).isEqualTo("hello");
        }
    }

    @Test
    void anErrorInTheMiddleOfAHandshakeIsRememberedByEveryLaterCall() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        TlsOptions broken = serverOptions().withContexts(_ -> {
            asked.incrementAndGet();
            throw new NoClassDefFoundError("a class of the key store");
        });
        try (TlsListener listener = listen(broken)) {
            Coroutine<?> client = skein.spawn(
                    "client", () -> assertThatIOException().isThrownBy(() -> connect(listener, clientOptions())));
            try (TlsStream stream = listener.accept()) {
                assertThatExceptionOfType(NoClassDefFoundError.class).isThrownBy(stream::handshake);
                expectFailedBefore(() -> stream.read(ByteBuffer.allocate(1)));
                expectFailedBefore(() -> stream.write(ByteBuffer.allocate(1)));
                expectFailedBefore(stream::handshake);
                assertThat(asked).hasValue(1);
            }
            client.join();
        }
    }

    private static void expectFailedBefore(ThrowingCallable call) {
        assertThatExceptionOfType(SSLHandshakeException.class)
                .isThrownBy(call)
                .withMessageContaining("failed before: ")
                .withMessageContaining("a class of the key store")
                .withCauseInstanceOf(NoClassDefFoundError.class);
    }

    @Test
    void aCertificateOfAnotherHostIsRefused() throws Exception {
        try (TlsListener listener = listen(patient(Certificates.context(List.of(OTHER), List.of())))) {
            Coroutine<IOException> server = refusedByServer(listener);

            assertThatExceptionOfType(SSLHandshakeException.class)
                    .isThrownBy(() -> connect(listener, clientOptions()))
                    .withMessageContaining("No subject alternative DNS name matching localhost found");

            assertThat(server.join()).isInstanceOf(SSLException.class).hasMessageContaining("certificate_unknown");
        }
    }

    @Test
    void aCertificateOfAnotherHostIsTakenByWhoDoesNotVerify() throws Exception {
        TlsOptions other = patient(Certificates.context(List.of(OTHER), List.of()));
        try (TlsPair pair = tlsPair(clientOptions().withoutHostnameVerification(), other)) {
            send(pair.client, "hello");

            assertThat(receive(pair.server, 5)).isEqualTo("hello");
        }
    }

    @Test
    void aCertificateThatNobodyTrustsIsRefused() throws Exception {
        try (TlsListener listener = listen(serverOptions())) {
            Coroutine<IOException> server = refusedByServer(listener);
            TlsOptions stranger = patient(Certificates.context(List.of(), List.of(OTHER)));

            assertThatExceptionOfType(SSLHandshakeException.class)
                    .isThrownBy(() -> connect(listener, stranger))
                    .withMessageContaining("unable to find valid certification path");

            assertThat(server.join()).isInstanceOf(SSLException.class).hasMessageContaining("certificate_unknown");
            serves(listener);
        }
    }

    @Test
    void theDefaultContextDoesNotTrustThisServer() throws Exception {
        try (TlsListener listener = listen(serverOptions())) {
            Coroutine<IOException> server = refusedByServer(listener);

            assertThatExceptionOfType(SSLHandshakeException.class)
                    .isThrownBy(() -> connect(listener, TlsOptions.defaults()))
                    .withMessageContaining("unable to find valid certification path");

            assertThat(server.join()).isInstanceOf(SSLException.class);
        }
    }

    @Test
    void eachSideSeesTheOthersCertificate() throws Exception {
        TlsOptions client = patient(Certificates.context(List.of(OTHER), List.of(LOCALHOST)));
        TlsOptions server = serverOptions().withClientAuthentication(ClientAuthentication.REQUIRED);
        try (TlsPair pair = tlsPair(client, server)) {
            assertThat(pair.client.peerCertificates())
                    .singleElement()
                    .satisfies(certificate -> assertThat(
                                    certificate.getSubjectX500Principal().getName())
                            .isEqualTo("CN=localhost"));
            assertThat(pair.server.peerCertificates())
                    .singleElement()
                    .satisfies(certificate -> assertThat(
                                    certificate.getSubjectX500Principal().getName())
                            .isEqualTo("CN=other.example"));
        }
    }

    @Test
    void aClientWithoutACertificateIsServedByWhoOnlyRequestsOne() throws Exception {
        TlsOptions server = serverOptions().withClientAuthentication(ClientAuthentication.REQUESTED);
        try (TlsPair pair = tlsPair(clientOptions(), server)) {
            assertThat(pair.server.peerCertificates()).isEmpty();
        }
    }

    @Test
    void aClientWithoutACertificateIsRefusedByWhoRequiresOne() throws Exception {
        TlsOptions strict = serverOptions().withClientAuthentication(ClientAuthentication.REQUIRED);
        try (TlsListener listener = listen(strict)) {
            Coroutine<IOException> server = refusedByServer(listener);

            assertThatExceptionOfType(SSLException.class)
                    .isThrownBy(() -> {
                        try (TlsStream client = connect(listener, clientOptions())) {
                            receive(client, 1); // with TLS 1.3 the client hears of it only now
                        }
                    })
                    .withMessageContaining("certificate_required");

            assertThat(server.join()).isInstanceOf(SSLHandshakeException.class);
        }
    }

    @Test
    void theServersFirstApplicationProtocolThatBothSpeakIsSpoken() throws Exception {
        TlsOptions client = clientOptions().withApplicationProtocols("http/1.1", "h2", "h3");
        TlsOptions server = serverOptions().withApplicationProtocols("h2", "http/1.1");
        try (TlsPair pair = tlsPair(client, server)) {
            assertThat(pair.client.applicationProtocol()).contains("h2");
            assertThat(pair.server.applicationProtocol()).contains("h2");
        }
    }

    @Test
    void noApplicationProtocolIsSpokenWhereNobodyNamesOne() throws Exception {
        try (TlsPair pair = tlsPair(clientOptions().withApplicationProtocols("h2"), serverOptions())) {
            assertThat(pair.client.applicationProtocol()).isEmpty();
            assertThat(pair.server.applicationProtocol()).isEmpty();
        }
    }

    @Test
    void noApplicationProtocolInCommonEndsTheHandshake() throws Exception {
        try (TlsListener listener = listen(serverOptions().withApplicationProtocols("h2"))) {
            Coroutine<IOException> server = refusedByServer(listener);

            assertThatExceptionOfType(SSLHandshakeException.class)
                    .isThrownBy(() -> connect(listener, clientOptions().withApplicationProtocols("http/1.1")))
                    .withMessageContaining("no_application_protocol");

            assertThat(server.join()).isInstanceOf(SSLHandshakeException.class);
        }
    }

    @Test
    void theServerShowsTheCertificateOfTheNameThatTheClientAsksFor() throws Exception {
        TlsOptions both = patient(Certificates.context(List.of(LOCALHOST, OTHER), List.of()));
        try (TlsListener listener = listen(both)) {
            for (String name : List.of(LOCALHOST, OTHER)) {
                try (TlsPair pair = tlsPair(listener, clientOptions().withServerName(name))) {
                    assertThat(pair.client
                                    .peerCertificates()
                                    .getFirst()
                                    .getSubjectX500Principal()
                                    .getName())
                            .isEqualTo("CN=" + name);
                    assertThat(pair.server.serverName()).contains(name);
                }
            }
        }
    }

    @Test
    void thereIsNoSessionBeforeTheHandshake() throws Exception {
        try (Pair plain = pair();
                TlsStream server = TlsStream.serverOver(plain.server(), serverOptions())) {
            assertThatIllegalStateException().isThrownBy(server::session).withMessageContaining("handshake");
        }
    }

    @Test
    void garbageInPlaceOfAClientIsRefusedAndTheServerGoesOn() throws Exception {
        try (TlsListener listener = listen(serverOptions());
                Socket garbage = new Socket(
                        LOOPBACK.getAddress(), listener.localAddress().getPort())) {
            garbage.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            garbage.shutdownOutput();
            try (TlsStream stream = listener.accept()) {
                assertThatExceptionOfType(SSLException.class).isThrownBy(() -> receive(stream, 1));
                assertThatExceptionOfType(SSLException.class)
                        .isThrownBy(() -> receive(stream, 1))
                        .withMessageContaining("failed before");
            }

            serves(listener);
        }
    }

    @Test
    void garbageInPlaceOfAServerIsRefused() throws Exception {
        try (Pair plain = pair()) {
            Coroutine<?> client = skein.spawn("client", () -> {
                assertThatExceptionOfType(SSLException.class)
                        .isThrownBy(() -> TlsStream.over(plain.client(), LOCALHOST, clientOptions()));
            });
            NetworkTest.send(plain.server(), "220 mail.example ESMTP\r\n");
            while (plain.server().read(ByteBuffer.allocate(1000)) >= 0) {}
            plain.server().close();

            client.join();
        }
    }

    @Test
    void aClientThatClosesInTheMiddleOfItIsToldApart() throws Exception {
        try (PlainPair plain = plainPair();
                TlsStream server = TlsStream.serverOver(plain.stream(), serverOptions())) {
            plain.peer().close();

            assertThatExceptionOfType(SSLHandshakeException.class)
                    .isThrownBy(server::handshake)
                    .withMessageContaining("closed by the peer in the middle");
        }
    }

    @Test
    void aServerThatStallsIsLeftWhenTheTimeIsUp() throws Exception {
        try (TcpListener listener = listen()) {
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> TlsStream.connect(
                            skein,
                            LOCALHOST,
                            listener.localAddress().getPort(),
                            clientOptions().withHandshakeTimeout(Duration.ofMillis(50))))
                    .withMessageContaining("handshake with 127.0.0.1");
        }
    }

    @Test
    void aClientThatStallsIsLeftWhenTheTimeIsUp() throws Exception {
        TlsOptions hasty = serverOptions().withHandshakeTimeout(Duration.ofMillis(50));
        try (PlainPair plain = plainPair();
                TlsStream server = TlsStream.serverOver(plain.stream(), hasty)) {
            assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(server::handshake);
        }
    }

    @Test
    @SuppressWarnings("try") // Closing early is the point.
    void aClientThatStallsKeepsNobodyElseWaiting() throws Exception {
        try (TlsListener listener = listen(serverOptions());
                Socket stalling = new Socket(
                        LOOPBACK.getAddress(), listener.localAddress().getPort());
                TlsStream stalled = listener.accept()) {
            Coroutine<?> waiting = skein.spawn("stalled", () -> {
                assertThatIOException().isThrownBy(stalled::handshake);
            });
            Await.untilWaiting(waiting);

            serves(listener);

            stalling.close();
            waiting.join();
        }
    }

    @Test
    void whoReadsAndWhoWritesShareOneHandshake() throws Exception {
        try (TlsListener listener = listen(serverOptions())) {
            Coroutine<TlsStream> connecting = skein.spawn("client", () -> connect(listener, clientOptions()));
            TlsStream server = listener.accept();
            Coroutine<String> reader = skein.spawn("reader", () -> receive(server, 5));
            Coroutine<?> writer = skein.spawn("writer", () -> send(server, "hello"));
            try (TlsPair pair = new TlsPair(connecting.join(), server)) {
                assertThat(receive(pair.client, 5)).isEqualTo("hello");
                send(pair.client, "world");
                assertThat(reader.join()).isEqualTo("world");
                writer.join();
            }
        }
    }

    @Test
    @SuppressWarnings("try") // Closing early is the point.
    void closingInTheMiddleOfItWakesWhoMakesIt() throws Exception {
        try (PlainPair plain = plainPair();
                TlsStream server = TlsStream.serverOver(plain.stream(), serverOptions())) {
            Coroutine<?> reader = skein.spawn("reader", () -> {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> receive(server, 1))
                        .withMessageContaining("closed");
            });
            Await.untilWaiting(reader);

            server.close();

            reader.join();
        }
    }

    @Test
    void cancellingInTheMiddleOfItEndsItForGood() throws Exception {
        try (PlainPair plain = plainPair();
                TlsStream server = TlsStream.serverOver(plain.stream(), serverOptions())) {
            Coroutine<?> reader = skein.spawn("reader", () -> receive(server, 1));
            Await.untilWaiting(reader);

            reader.cancel(true);
            Await.until("the reader ends", reader::isDone);

            assertThatExceptionOfType(SSLException.class)
                    .isThrownBy(() -> receive(server, 1))
                    .withMessageContaining("failed before");
        }
    }
}
