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
class EndOfStreamTest extends NetworkTest {
    EndOfStreamTest(Setup setup) {
        super(setup);
    }

    @Test
    void afterThePeerClosedWhatItSentIsReadAndThenTheEnd() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                send(pair.client(), "last words");
                pair.client().close();

                assertThat(receive(pair.server(), 10)).isEqualTo("last words");
                assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
            });
        }
    }

    @Test
    void theEndOfTheStreamComesAgainForWhoReadsAgain() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                pair.client().close();

                assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
                assertThat(pair.server().read(ByteBuffer.allocateDirect(1))).isEqualTo(-1);
            });
        }
    }

    @Test
    void theEndOfTheStreamLeavesTheBufferAsItWas() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                pair.client().close();
                ByteBuffer target = ByteBuffer.allocate(10).position(3).limit(8);

                assertThat(pair.server().read(target)).isEqualTo(-1);
                assertThat(target.position()).isEqualTo(3);
                assertThat(target.limit()).isEqualTo(8);
            });
        }
    }

    @Test
    void evenAtTheEndABufferWithoutRoomReadsZero() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                pair.client().close();
                assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);

                assertThat(pair.server().read(ByteBuffer.allocate(0))).isZero();
            });
        }
    }

    @Test
    void aCoroutineThatAlreadyReadsHearsOfTheEnd() throws Exception {
        try (PlainPair pair = plainPair()) {
            Coroutine<Integer> reader =
                    skein.spawn("reader", () -> pair.stream().read(ByteBuffer.allocate(1)));
            Await.untilWaiting(reader);

            pair.peer().close();

            assertThat(reader.join()).isEqualTo(-1);
        }
    }

    @Test
    void afterShuttingTheOutputDownThePeerReadsTheEndAndMayStillAnswer() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                send(pair.client(), "question");
                pair.client().shutdownOutput();

                assertThat(receive(pair.server(), 100)).isEqualTo("question");
                send(pair.server(), "answer");
                assertThat(receive(pair.client(), 6)).isEqualTo("answer");
            });
        }
    }

    @Test
    void shuttingTheOutputDownAgainDoesNothing() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                pair.client().shutdownOutput();
                pair.client().shutdownOutput();

                assertThat(receive(pair.server(), 1)).isEmpty();
            });
        }
    }

    @Test
    void writingAfterShuttingTheOutputDownFails() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                pair.client().shutdownOutput();

                assertThatExceptionOfType(SocketException.class).isThrownBy(() -> send(pair.client(), "too late"));
            });
        }
    }

    @Test
    void aPeerThatShutsItsOutputDownStillReads() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.peerSends("question");
            pair.peer().shutdownOutput();

            skein.blockOn(() -> {
                assertThat(receive(pair.stream(), 100)).isEqualTo("question");
                send(pair.stream(), "answer");
            });

            assertThat(pair.peerReceives(6)).isEqualTo("answer");
        }
    }

    @Test
    void aResetIsASocketExceptionThatNamesThePeer() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.peerResets();

            skein.blockOn(() -> {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> pair.stream().read(ByteBuffer.allocate(1)))
                        .withMessageContaining("read")
                        .withMessageContaining("reset")
                        .withMessageContaining(
                                Integer.toString(pair.stream().remoteAddress().getPort()));
            });
        }
    }

    @Test
    void aCoroutineThatAlreadyReadsHearsOfTheReset() throws Exception {
        try (PlainPair pair = plainPair()) {
            Coroutine<?> reader = skein.spawn("reader", () -> {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> pair.stream().read(ByteBuffer.allocate(1)))
                        .withMessageContaining("reset");
            });
            Await.untilWaiting(reader);

            pair.peerResets();

            reader.join();
        }
    }

    @Test
    void aCoroutineThatAlreadyWritesHearsOfTheReset() throws Exception {
        try (PlainPair pair = plainPair()) {
            Coroutine<?> writer = skein.spawn("writer", () -> {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> pair.stream().write(ByteBuffer.allocateDirect(64 << 20)))
                        .withMessageContaining("write")
                        .withMessageContaining(
                                Integer.toString(pair.stream().remoteAddress().getPort()));
            });
            Await.untilWaiting(writer);

            pair.peerResets();

            writer.join();
        }
    }

    @Test
    void writingToAPeerThatIsGoneFailsSoonAndKillsNobody() throws Exception {
        try (PlainPair pair = plainPair()) {
            pair.peerResets();

            skein.blockOn(() -> {
                assertThatExceptionOfType(SocketException.class).isThrownBy(() -> {
                    while (true) {
                        send(pair.stream(), "is anybody there?");
                    }
                });
            });
        }
    }
}
