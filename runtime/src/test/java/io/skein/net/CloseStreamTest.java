package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

@Setup.Each
class CloseStreamTest extends NetworkTest {
    CloseStreamTest(Setup setup) {
        super(setup);
    }

    @Test
    void readingAfterCloseSaysSo() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                pair.server().close();

                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> pair.server().read(ByteBuffer.allocate(1)))
                        .withMessageContaining("closed");
            });
        }
    }

    @Test
    void readingAfterCloseDeliversNoLeftOvers() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.peerSends("unread");
            pair.stream().close();

            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> pair.stream().read(ByteBuffer.allocate(1)))
                    .withMessageContaining("closed");
        }
    }

    @Test
    void writingAfterCloseSaysSo() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                pair.server().close();

                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> send(pair.server(), "too late"))
                        .withMessageContaining("closed");
            });
        }
    }

    @Test
    void shuttingTheOutputDownAfterCloseSaysSo() throws Exception {
        try (Pair pair = pair()) {
            pair.server().close();

            assertThatExceptionOfType(SocketException.class)
                    .isThrownBy(() -> pair.server().shutdownOutput())
                    .withMessageContaining("closed");
        }
    }

    @Test
    void closingAgainDoesNothing() throws Exception {
        try (Pair pair = pair()) {
            pair.server().close();
            pair.server().close();

            skein.blockOn(() -> pair.server().close());
        }
    }

    @Test
    @SuppressWarnings("try") // Closing early is the point.
    void closingTwiceNeverClosesTheDescriptorOfSomebodyElse() throws Exception {
        try (Pair first = pair()) {
            first.close();
            try (Pair second = pair()) { // Gets the descriptors that the first one had.
                first.close();
                send(second.client(), "hello");

                assertThat(receive(second.server(), 5)).isEqualTo("hello");
            }
        }
    }

    @Test
    void aCoroutineThatReadsIsWokenByAnotherThatCloses() throws Exception {
        try (Pair pair = pair()) {
            Coroutine<?> reader = skein.spawn("reader", () -> {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> pair.server().read(ByteBuffer.allocate(1)))
                        .withMessageContaining("closed");
            });
            Await.untilWaiting(reader);

            skein.blockOn(() -> pair.server().close());

            reader.join();
        }
    }

    @Test
    void aCoroutineThatReadsIsWokenByAPlatformThreadThatCloses() throws Exception {
        try (Pair pair = pair()) {
            Coroutine<?> reader = skein.spawn("reader", () -> {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> pair.server().read(ByteBuffer.allocateDirect(1)))
                        .withMessageContaining("closed");
            });
            Await.untilWaiting(reader);

            pair.server().close();

            reader.join();
        }
    }

    @Test
    void aCoroutineThatWritesIsWokenByAnotherThatCloses() throws Exception {
        try (Pair pair = pair()) {
            Coroutine<?> writer = skein.spawn("writer", () -> {
                ByteBuffer endless = ByteBuffer.allocateDirect(64 << 20);
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> pair.server().write(endless))
                        .withMessageContaining("closed");
            });
            Await.untilWaiting(writer);

            skein.blockOn(() -> pair.server().close());

            writer.join();
        }
    }

    @Test
    void theStreamIsClosedOnceCloseReturnsEvenWhereSomebodyWasReading() throws Exception {
        try (Pair pair = pair()) {
            Coroutine<?> reader = skein.spawn("reader", () -> {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> pair.server().read(ByteBuffer.allocate(1)));
            });
            Await.untilWaiting(reader);

            pair.server().close();
            reader.join();

            assertThat(skein.blockOn(() -> receive(pair.client(), 1))).isEmpty();
        }
    }

    @Test
    void whoClosesAtARandomMomentNeitherHangsNorLeaks() throws Exception {
        expectUnheardFailures(); // The client meets a reset where the server closes with bytes unread.
        for (int round = 0; round < 200; round++) {
            try (Pair pair = pair()) {
                Coroutine<?> echo = skein.spawn("echo", () -> {
                    assertThatExceptionOfType(SocketException.class).isThrownBy(() -> EchoServer.echo(pair.server()));
                });
                Coroutine<?> client = skein.spawn("client", () -> {
                    send(pair.client(), "hello");
                    receive(pair.client(), 5);
                });
                for (int spin = 0; spin < round * 20; spin++) {
                    Thread.onSpinWait();
                }

                pair.server().close();

                echo.join();
                client.cancel(true);
                Await.until("the client ends", client::isDone);
            }
        }
    }
}
