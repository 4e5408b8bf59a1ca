package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Setup.OnePerDriver
class TlsCloseTest extends TlsTest {
    TlsCloseTest(Setup setup) {
        super(setup);
    }

    private TlsPair pairOf(String protocol) throws Exception {
        return tlsPair(clientOptions().withProtocols(protocol), serverOptions());
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void whatWasWrittenBeforeACloseIsReadAndThenTheEnd(String protocol) throws Exception {
        try (TlsPair pair = pairOf(protocol)) {
            Coroutine<?> closing = skein.spawn("client", () -> {
                send(pair.client, "hello");
                pair.client.close();
            });

            assertThat(receive(pair.server, 100)).isEqualTo("hello");
            assertThat(pair.server.read(ByteBuffer.allocate(1))).isEqualTo(-1);

            pair.server.close();
            closing.join();
        }
    }

    @Test
    void aShutDownOutputLeavesTheOtherDirectionOpen() throws Exception {
        try (TlsPair pair = pairOf("TLSv1.3")) {
            pair.client.shutdownOutput();

            assertThat(pair.server.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            send(pair.server, "still here");
            assertThat(receive(pair.client, 10)).isEqualTo("still here");
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> send(pair.client, "too late"))
                    .withMessageContaining("shut down");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void anEndWithoutCloseNotifyIsNoEndOfStream(String protocol) throws Exception {
        try (Pair plain = pair();
                TlsPair pair = pairOver(plain, clientOptions().withProtocols(protocol))) {
            send(pair.client, "hello");
            plain.client().shutdownOutput();

            assertThat(receive(pair.server, 5)).isEqualTo("hello");
            for (int i = 0; i < 2; i++) {
                assertThatExceptionOfType(SSLException.class)
                        .isThrownBy(() -> pair.server.read(ByteBuffer.allocate(1)))
                        .withMessageContaining("closed without close_notify");
            }
        }
    }

    @Test
    void garbageAfterTheHandshakeIsNoEndOfStreamEither() throws Exception {
        try (Pair plain = pair();
                TlsPair pair = pairOver(plain, clientOptions())) {
            NetworkTest.send(plain.client(), "what is this?");

            for (int i = 0; i < 2; i++) {
                assertThatExceptionOfType(SSLException.class)
                        .isThrownBy(() -> pair.server.read(ByteBuffer.allocate(1)));
            }
        }
    }

    private TlsPair pairOver(Pair plain, TlsOptions options) throws Exception {
        Coroutine<TlsStream> client = skein.spawn("client", () -> TlsStream.over(plain.client(), "localhost", options));
        TlsStream server = TlsStream.serverOver(plain.server(), serverOptions());
        server.handshake();
        return new TlsPair(client.join(), server);
    }

    @Test
    void whoReadsIsWokenByWhoCloses() throws Exception {
        try (TlsPair pair = tlsPair()) {
            Coroutine<?> reader = skein.spawn("reader", () -> {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> receive(pair.server, 1))
                        .withMessageContaining("closed");
            });
            Await.untilWaiting(reader);

            pair.server.close();

            reader.join();
            assertThat(pair.client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
    }

    @Test
    void whoWritesIsWokenByWhoClosesAndThePeerSeesThatSomethingIsMissing() throws Exception {
        try (TlsPair pair = tlsPair()) {
            Coroutine<?> writer = skein.spawn("writer", () -> {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> pair.server.write(ByteBuffer.allocateDirect(TOO_MUCH)))
                        .withMessageContaining("closed");
            });
            Await.untilWaiting(writer);

            pair.server.close();

            writer.join();
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> {
                ByteBuffer target = ByteBuffer.allocate(100_000);
                while (pair.client.read(target.clear()) >= 0) {}
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aShutdownLetsTheWriterGoAndThePeerSeesThatSomethingIsMissing(String protocol) throws Exception {
        try (TlsPair pair = pairOf(protocol)) {
            Coroutine<?> writer = skein.spawn("writer", () -> {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> pair.server.write(ByteBuffer.allocateDirect(TOO_MUCH)))
                        .withMessageEndingWith(": broken pipe");
            });
            Await.untilWaiting(writer);

            pair.server.shutdownOutput();

            writer.join();
            pair.server.shutdownOutput(); // again
            assertThatExceptionOfType(SocketException.class).isThrownBy(() -> send(pair.server, "too late"));
            assertThatExceptionOfType(SSLException.class).isThrownBy(() -> {
                ByteBuffer target = ByteBuffer.allocate(100_000);
                while (pair.client.read(target.clear()) >= 0) {}
            });
            send(pair.client, "still here");
            assertThat(receive(pair.server, 10)).isEqualTo("still here");
        }
    }

    @Test
    @SuppressWarnings("try") // Closing early is the point.
    void readingAndWritingAfterCloseSaysSo() throws Exception {
        try (TlsPair pair = tlsPair()) {
            pair.close();

            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> receive(pair.server, 1))
                    .withMessageContaining("closed");
            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> send(pair.server, "too late"))
                    .withMessageContaining("closed");
            pair.server.close();
        }
    }

    @Test
    void aPeerThatNeverAnswersAGoodbyeIsNotWaitedForForEver() throws Exception {
        TlsOptions hasty = serverOptions().withCloseTimeout(Duration.ofMillis(20));
        try (TlsPair pair = tlsPair(clientOptions(), hasty)) {
            pair.server.close(); // the client does not even read

            assertThatExceptionOfType(SocketException.class).isThrownBy(() -> receive(pair.server, 1));
        }
    }

    @Test
    void aPeerThatReadsNothingEndsAWriteAndTheStreamStaysUsable() throws Exception {
        ByteBuffer source = ByteBuffer.allocateDirect(TOO_MUCH);
        try (TlsPair pair = tlsPair()) {
            pair.server.writeTimeout(Duration.ofMillis(20));
            assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> pair.server.write(source));
            pair.server.writeTimeout(null);
            Coroutine<?> rest = skein.spawn("rest", () -> {
                pair.server.write(source);
                pair.server.shutdownOutput();
            });

            ByteBuffer received = ByteBuffer.allocateDirect(source.capacity() + 1);
            while (pair.client.read(received) >= 0) {}

            assertThat(received.position()).isEqualTo(source.capacity());
            rest.join();
        }
    }

    @Test
    void anIdlePeerEndsAReadAndTheStreamStaysUsable() throws Exception {
        TlsOptions hasty = serverOptions().withReadTimeout(Duration.ofMillis(20));
        try (TlsPair pair = tlsPair(clientOptions(), hasty)) {
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> pair.server.read(ByteBuffer.allocate(1)));
            send(pair.client, "hello");
            Await.until("the message arrives", () -> {
                try {
                    return receive(pair.server, 5).equals("hello");
                } catch (SocketTimeoutException e) {
                    return false;
                }
            });
        }
    }

    @Test
    void aCancelledReadLosesNothing() throws Exception {
        try (TlsPair pair = tlsPair()) {
            Coroutine<?> reader = skein.spawn("reader", () -> receive(pair.server, 1));
            Await.untilWaiting(reader);
            reader.cancel(true);
            Await.until("the reader ends", reader::isDone);

            send(pair.client, "hello");

            assertThat(receive(pair.server, 5)).isEqualTo("hello");
        }
    }

    @Test
    void aCancelledWriteIsTakenUpWhereItEnded() throws Exception {
        ByteBuffer source = ByteBuffer.allocateDirect(16 << 20);
        for (int i = 0; i < source.capacity(); i += 4) {
            source.putInt(i, i);
        }
        try (TlsPair pair = tlsPair()) {
            Coroutine<?> writer = skein.spawn("writer", () -> pair.server.write(source));
            Await.untilWaiting(writer);
            writer.cancel(true);
            Await.until("the writer ends", writer::isDone);
            Coroutine<?> rest = skein.spawn("rest", () -> {
                pair.server.write(source);
                pair.server.shutdownOutput();
            });

            ByteBuffer received = ByteBuffer.allocateDirect(source.capacity());
            while (received.hasRemaining() && pair.client.read(received) >= 0) {}

            ByteBuffer whole = source.duplicate().clear(); // its own position is the writer's, who may still look at it
            assertThat(received.flip().mismatch(whole)).isEqualTo(-1);
            assertThat(pair.client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            rest.join();
        }
    }

    @Test
    void aCancelledCoroutineStillSaysGoodbye() throws Exception {
        try (TlsPair pair = tlsPair()) {
            Coroutine<?> reader = skein.spawn("reader", () -> {
                try (TlsStream stream = pair.server) {
                    receive(stream, 1);
                }
            });
            Await.untilWaiting(reader);

            reader.cancel(true);

            assertThat(pair.client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            Await.until("the reader ends", reader::isDone);
        }
    }
}
