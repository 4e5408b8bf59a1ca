package io.skein.net;

import static io.skein.net.Certificates.LOCALHOST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.nio.ByteBuffer;
import java.nio.channels.ReadPendingException;
import java.nio.channels.WritePendingException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@Setup.OnePerDriver
class TlsEchoTest extends TlsTest {
    private static final int MEBIBYTES = 64;

    TlsEchoTest(Setup setup) {
        super(setup);
    }

    @Test
    void aMessageComesBackToACoroutine() throws Exception {
        skein.blockOn(() -> {
            try (TlsListener listener = TlsListener.bind(LOOPBACK, serverOptions())) {
                Coroutine<?> echo = echoOnce(listener);
                try (TlsStream client =
                        TlsStream.connect(LOCALHOST, listener.localAddress().getPort(), clientOptions())) {
                    send(client, "hello");

                    assertThat(receive(client, 5)).isEqualTo("hello");
                }
                echo.join();
            }
        });
    }

    @Test
    void aMessageComesBackToAPlatformThread() throws Exception {
        try (TlsListener listener = listen(serverOptions())) {
            Coroutine<?> echo = echoOnce(listener);
            try (TlsStream client = connect(listener, clientOptions())) {
                send(client, "hello");

                assertThat(receive(client, 5)).isEqualTo("hello");
            }
            echo.join();
        }
    }

    @Test
    void aTargetThatIsSmallerThanARecordGetsItInPieces() throws Exception {
        try (TlsPair pair = tlsPair()) {
            send(pair.client, "0123456789");

            assertThat(receive(pair.server, 3)).isEqualTo("012");
            assertThat(receive(pair.server, 4)).isEqualTo("3456");
            assertThat(receive(pair.server, 3)).isEqualTo("789");
        }
    }

    @Test
    void aTargetWithoutRoomReadsNothing() throws Exception {
        try (TlsPair pair = tlsPair()) {
            assertThat(pair.server.read(ByteBuffer.allocate(0))).isZero();
        }
    }

    @Test
    void aConnectionThatIsThereBecomesTls() throws Exception {
        try (Pair plain = pair()) {
            Coroutine<TlsStream> client = skein.spawn("client", () -> {
                NetworkTest.send(plain.client(), "STARTTLS");
                return TlsStream.over(plain.client(), LOCALHOST, clientOptions());
            });
            assertThat(NetworkTest.receive(plain.server(), 8)).isEqualTo("STARTTLS");
            TlsStream server = TlsStream.serverOver(plain.server(), serverOptions());
            server.handshake();
            try (TlsPair pair = new TlsPair(client.join(), server)) {
                send(pair.client, "hello");

                assertThat(receive(pair.server, 5)).isEqualTo("hello");
            }
        }
    }

    @Test
    void aSecondReaderIsToldThatThereIsOne() throws Exception {
        try (TlsPair pair = tlsPair()) {
            Coroutine<String> reader = skein.spawn("reader", () -> receive(pair.server, 5));
            Await.untilWaiting(reader);

            assertThatExceptionOfType(ReadPendingException.class)
                    .isThrownBy(() -> pair.server.read(ByteBuffer.allocate(1)));

            send(pair.client, "hello");
            assertThat(reader.join()).isEqualTo("hello");
        }
    }

    @Test
    void aSecondWriterIsToldThatThereIsOne() throws Exception {
        try (TlsPair pair = tlsPair()) {
            Coroutine<?> writer = skein.spawn("writer", () -> pair.server.write(ByteBuffer.allocateDirect(TOO_MUCH)));
            Await.untilWaiting(writer);

            assertThatExceptionOfType(WritePendingException.class).isThrownBy(() -> send(pair.server, "me too"));

            writer.cancel(true);
            Await.until("the writer ends", writer::isDone);
        }
    }

    @Test
    @Timeout(value = 180, threadMode = ThreadMode.SEPARATE_THREAD)
    void whatIsSentBothWaysAtOnceInAnyPiecesArrivesByteForByte() throws Exception {
        try (TlsPair pair = tlsPair()) {
            Coroutine<?>[] all = {
                skein.spawn("client sends", () -> sendPattern(pair.client, 1)),
                skein.spawn("server sends", () -> sendPattern(pair.server, 2)),
                skein.spawn("client receives", () -> receivePattern(pair.client, 2)),
                skein.spawn("server receives", () -> receivePattern(pair.server, 1))
            };
            for (Coroutine<?> one : all) {
                one.join();
            }
        }
    }

    private static void sendPattern(TlsStream stream, int seed) throws Exception {
        byte[] pattern = pattern(seed);
        Random sizes = new Random(seed);
        ByteBuffer direct = ByteBuffer.allocateDirect(200_000);
        for (long sent = 0; sent < MEBIBYTES * 1024L * 1024; ) {
            int from = (int) (sent % pattern.length);
            int length = 1 + sizes.nextInt(Math.min(pattern.length - from, sizes.nextInt(4) == 0 ? 500 : 200_000));
            ByteBuffer chunk = ByteBuffer.wrap(pattern, from, length);
            stream.write(sizes.nextBoolean() ? chunk : direct.clear().put(chunk).flip());
            sent += length;
        }
        stream.shutdownOutput();
    }

    private static void receivePattern(TlsStream stream, int seed) throws Exception {
        byte[] pattern = pattern(seed);
        Random sizes = new Random(seed + 100);
        ByteBuffer direct = ByteBuffer.allocateDirect(100_000);
        ByteBuffer heap = ByteBuffer.allocate(100_000);
        long received = 0;
        while (true) {
            ByteBuffer target = (sizes.nextBoolean() ? direct : heap).clear();
            target.limit(1 + sizes.nextInt(sizes.nextInt(8) == 0 ? 100 : 100_000));
            int count = stream.read(target);
            if (count < 0) {
                break;
            }
            target.flip();
            while (target.hasRemaining()) {
                int from = (int) (received % pattern.length);
                int length = Math.min(target.remaining(), pattern.length - from);
                ByteBuffer expected = ByteBuffer.wrap(pattern, from, length);
                assertThat(target.slice(target.position(), length).mismatch(expected))
                        .isEqualTo(-1);
                target.position(target.position() + length);
                received += length;
            }
        }
        assertThat(received).isGreaterThanOrEqualTo(MEBIBYTES * 1024L * 1024);
    }

    private static byte[] pattern(int seed) {
        byte[] pattern = new byte[1_000_003];
        new Random(seed).nextBytes(pattern);
        return pattern;
    }
}
