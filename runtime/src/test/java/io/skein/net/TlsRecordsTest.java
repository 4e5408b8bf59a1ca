package io.skein.net;

import static io.skein.net.Certificates.LOCALHOST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;

/** How reads and writes meet the borders of records. */
@Setup.OnePerDriver
class TlsRecordsTest extends TlsTest {
    /** In TLS 1.3 the engine puts a little less into one record. */
    private static final int MESSAGE = 16 * 1024;

    private static final int HEADER = 5;

    /** What a record carries of a message this small, at least. */
    private static final int BODY = 32;

    TlsRecordsTest(Setup setup) {
        super(setup);
    }

    @Test
    void oneWriteAndOneReadSufficeForAMessageOfTwoRecords() throws Exception {
        byte[] message = new byte[MESSAGE];
        Arrays.fill(message, (byte) 'x');
        try (TlsPair pair = tlsPair()) {
            for (int i = 0; i < 100; i++) {
                pair.client.write(ByteBuffer.wrap(message));

                ByteBuffer target = ByteBuffer.allocate(2 * MESSAGE);
                assertThat(pair.server.read(target)).isEqualTo(MESSAGE);
                assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(message));
            }
        }
    }

    @Test
    void aRecordForWhichThereIsNoRoomWaitsForTheNextRead() throws Exception {
        try (TlsPair pair = tlsPair()) {
            pair.client.write(ByteBuffer.allocate(MESSAGE));

            int first = pair.server.read(ByteBuffer.allocate(MESSAGE - 1));
            assertThat(first).isPositive().isLessThan(MESSAGE);
            assertThat(pair.server.read(ByteBuffer.allocate(MESSAGE)))
                    .isPositive()
                    .isEqualTo(MESSAGE - first);
        }
    }

    @Test
    void aBrokenRecordBehindAGoodOneIsToldByTheNextRead() throws Exception {
        try (Pair plain = pair();
                TlsPair pair = over(plain)) {
            int hello = sendHello(plain, pair);
            ByteBuffer broken = ByteBuffer.allocate(HEADER + BODY);
            broken.put((byte) 23).putShort((short) 0x303).putShort((short) BODY);
            plain.client().write(broken.clear());
            Await.until("both have come", () -> plain.server().available() == hello + HEADER + BODY);

            ByteBuffer target = ByteBuffer.allocate(100);
            assertThat(pair.server.read(target)).isEqualTo(5);
            assertThat(target.flip()).isEqualTo(bytes("hello"));
            for (int i = 0; i < 2; i++) {
                assertThatExceptionOfType(SSLException.class)
                        .isThrownBy(() -> pair.server.read(ByteBuffer.allocate(100)));
            }
        }
    }

    @Test
    void theGoodbyeBehindARecordIsToldByTheNextRead() throws Exception {
        try (Pair plain = pair();
                TlsPair pair = over(plain)) {
            int hello = sendHello(plain, pair);
            pair.client.shutdownOutput();
            Await.until("both have come", () -> plain.server().available() > hello);

            assertThat(pair.server.read(ByteBuffer.allocate(100))).isEqualTo(5);
            assertThat(pair.server.read(ByteBuffer.allocate(100))).isEqualTo(-1);
        }
    }

    /** There the engine answers the peer's goodbye by its own, after which nothing can be written. */
    @Test
    void whatCameBeforeAGoodbyeOfTls12CanBeAnswered() throws Exception {
        try (Pair plain = pair();
                TlsPair pair = over(plain, clientOptions().withProtocols("TLSv1.2"))) {
            int hello = sendHello(plain, pair);
            pair.client.shutdownOutput();
            Await.until("both have come", () -> plain.server().available() > hello);

            assertThat(pair.server.read(ByteBuffer.allocate(100))).isEqualTo(5);
            send(pair.server, "world");
            assertThat(receive(pair.client, 5)).isEqualTo("world");
            assertThat(pair.server.read(ByteBuffer.allocate(100))).isEqualTo(-1);
        }
    }

    /** Sends a message, and returns how many bytes of it have come. */
    private static int sendHello(Pair plain, TlsPair pair) throws Exception {
        send(pair.client, "hello");
        Await.until("it has come", () -> plain.server().available() > 0);
        return plain.server().available();
    }

    /** Both ends of TLS on a connection that the test can look at. */
    private TlsPair over(Pair plain) throws Exception {
        return over(plain, clientOptions());
    }

    private TlsPair over(Pair plain, TlsOptions options) throws Exception {
        Coroutine<TlsStream> client = skein.spawn("client", () -> TlsStream.over(plain.client(), LOCALHOST, options));
        TlsStream server = TlsStream.serverOver(plain.server(), serverOptions());
        server.handshake();
        return new TlsPair(client.join(), server);
    }
}
