package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientHelloTest {
    private static final int HEADER = 5;

    /** What the JDK's client says first. */
    private static ByteBuffer hello(String protocol, List<String> names) throws Exception {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[] {protocol});
        parameters.setServerNames(
                List.copyOf(names.stream().map(SNIHostName::new).toList()));
        engine.setSSLParameters(parameters);
        engine.beginHandshake();
        ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), record);
        return record.flip();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void theNameIsFoundInLowerCaseAndNothingIsConsumed(String protocol) throws Exception {
        ByteBuffer hello = hello(protocol, List.of("Shop.Example"));

        assertThat(ClientHello.in(hello).serverName()).contains("shop.example");
        assertThat(ClientHello.in(hello).isComplete()).isTrue();
        assertThat(hello.position()).isZero();
    }

    @Test
    void aClientMayAskForNoName() throws Exception {
        ClientHello hello = ClientHello.in(hello("TLSv1.3", List.of()));

        assertThat(hello.isComplete()).isTrue();
        assertThat(hello.serverName()).isEmpty();
    }

    @Test
    void untilAllOfItHasComeMoreIsNeeded() throws Exception {
        ByteBuffer hello = hello("TLSv1.3", List.of("shop.example"));

        for (int length = 0; length < hello.limit(); length++) {
            assertThat(ClientHello.in(hello.duplicate().limit(length)).isComplete())
                    .isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 50})
    void itMayComeInSeveralRecords(int size) throws Exception {
        ByteBuffer hello = hello("TLSv1.3", List.of("shop.example"));
        ByteBuffer split = ByteBuffer.allocate(hello.limit() * (HEADER + 1));
        for (int from = HEADER; from < hello.limit(); from += size) {
            int length = Math.min(size, hello.limit() - from);
            split.put(hello.slice(0, HEADER - 2)).putShort((short) length).put(hello.slice(from, length));
        }

        assertThat(ClientHello.in(split.flip()).serverName()).contains("shop.example");
    }

    @Test
    void whatIsNoneIsNotWaitedFor() {
        ByteBuffer http = ByteBuffer.wrap("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
        ByteBuffer otherMessage = ByteBuffer.wrap(new byte[] {22, 3, 1, 0, 4, 2, 0, 0, 0});

        assertThat(ClientHello.in(http)).isEqualTo(ClientHello.in(otherMessage)).satisfies(hello -> {
            assertThat(hello.isComplete()).isTrue();
            assertThat(hello.serverName()).isEmpty();
        });
    }

    @Test
    void whateverIsWrongInItIsLeftToTheEngine() throws Exception {
        ByteBuffer hello = hello("TLSv1.3", List.of("shop.example"));
        Random random = new Random(7);
        for (int round = 0; round < 5000; round++) {
            byte[] broken = new byte[hello.limit()];
            hello.get(0, broken);
            for (int i = 0; i < 4; i++) {
                broken[HEADER + random.nextInt(broken.length - HEADER)] = (byte) random.nextInt();
            }
            assertThat(ClientHello.in(ByteBuffer.wrap(broken)).serverName()).isNotNull(); // and nothing is thrown
        }
    }
}
