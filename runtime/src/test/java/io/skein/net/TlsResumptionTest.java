package io.skein.net;

import static io.skein.net.Certificates.LOCALHOST;
import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Setup;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Setup.OnePerDriver
class TlsResumptionTest extends TlsTest {
    TlsResumptionTest(Setup setup) {
        super(setup);
    }

    /** Counts the servers that it has been asked about: a resumed session needs no certificate. */
    private static final class CountingTrust extends X509ExtendedTrustManager {
        final AtomicInteger asked = new AtomicInteger();
        private final X509ExtendedTrustManager trust;

        CountingTrust(TrustManager trust) {
            this.trust = (X509ExtendedTrustManager) trust;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            asked.incrementAndGet();
            trust.checkServerTrusted(chain, type, engine);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            throw new UnsupportedOperationException();
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return trust.getAcceptedIssuers();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void theSecondConnectionResumesTheSessionOfTheFirst(String protocol) throws Exception {
        CountingTrust trust = new CountingTrust(Certificates.trustManagers(List.of(LOCALHOST))[0]);
        TlsOptions client = patient(Certificates.context(List.of(), new TrustManager[] {trust}))
                .withProtocols(protocol);
        try (TlsListener listener = listen(serverOptions())) {
            talk(listener, client);
            assertThat(trust.asked).hasValue(1);

            talk(listener, client);

            assertThat(trust.asked).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void anotherContextKnowsNothingOfTheSession(String protocol) throws Exception {
        try (TlsListener listener = listen(serverOptions())) {
            for (int i = 0; i < 2; i++) {
                CountingTrust trust = new CountingTrust(Certificates.trustManagers(List.of(LOCALHOST))[0]);
                talk(
                        listener,
                        patient(Certificates.context(List.of(), new TrustManager[] {trust}))
                                .withProtocols(protocol));
                assertThat(trust.asked).hasValue(1);
            }
        }
    }

    /** The client reads something, since with TLS 1.3 the ticket comes after the handshake. */
    private void talk(TlsListener listener, TlsOptions client) throws Exception {
        try (TlsPair pair = tlsPair(listener, client)) {
            send(pair.server, "hello");
            assertThat(receive(pair.client, 5)).isEqualTo("hello");
        }
    }
}
