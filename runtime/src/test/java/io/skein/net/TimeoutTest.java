package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

@Setup.Each
class TimeoutTest extends NetworkTest {
    private static final Duration SHORT = Duration.ofMillis(5);

    /** Long enough for something to be done before. */
    private static final Duration SOON = Duration.ofMillis(200);

    private static final Duration LONG = Duration.ofMinutes(10);

    TimeoutTest(Setup setup) {
        super(setup);
    }

    @Test
    void aReadThatGetsNothingTimesOutAndSaysSo() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                TcpStream stream = pair.server();
                stream.readTimeout(SHORT);

                assertThatExceptionOfType(SocketTimeoutException.class)
                        .isThrownBy(() -> stream.read(ByteBuffer.allocate(10)))
                        .withMessage("read 127.0.0.1:" + stream.remoteAddress().getPort() + ": timed out after 5 ms");
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
            });
        }
    }

    @Test
    void aReadThatWasWokenForNothingTimesOutAllTheSame() throws Exception {
        try (Pair pair = pair()) {
            pair.server().readTimeout(SOON);
            Coroutine<?> reader = skein.spawn(
                    "reader", () -> expectTimeout(() -> pair.server().read(ByteBuffer.allocate(10))));

            Await.untilWaiting(reader);
            LockSupport.unpark(reader.thread());

            reader.join();
        }
    }

    @Test
    void afterATimeoutTheStreamGoesOn() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                TcpStream stream = pair.server();
                ByteBuffer target = ByteBuffer.allocateDirect(10).position(2);
                stream.readTimeout(SHORT);
                expectTimeout(() -> stream.read(target));
                assertThat(target.position()).isEqualTo(2);

                send(pair.client(), "hello");

                stream.readTimeout(LONG);
                assertThat(receive(stream, 5)).isEqualTo("hello");
                assertThat(target.clear()).isEqualTo(ByteBuffer.allocate(10));
            });
        }
    }

    @Test
    void bulkReadsTimeOutToo() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                TcpStream stream = pair.server();
                stream.readTimeout(SHORT);
                for (ByteBuffer target :
                        new ByteBuffer[] {ByteBuffer.allocateDirect(100_000), ByteBuffer.allocate(100_000)}) {
                    expectTimeout(() -> stream.read(target));
                    send(pair.client(), "hello");
                    stream.readTimeout(LONG);
                    assertThat(receive(stream, 5)).isEqualTo("hello");
                    stream.readTimeout(SHORT);
                }
            });
        }
    }

    @Test
    void aTimeoutIsForEachRead() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                TcpStream stream = pair.server();
                stream.readTimeout(SHORT);
                for (int round = 0; round < 5; round++) {
                    expectTimeout(() -> stream.read(ByteBuffer.allocate(10)));
                    send(pair.client(), "x");
                    stream.readTimeout(LONG);
                    assertThat(receive(stream, 1)).isEqualTo("x");
                    stream.readTimeout(SHORT);
                }
            });
        }
    }

    @Test
    void aShorterTimeoutCountsAtOnce() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                TcpStream stream = pair.server();
                stream.readTimeout(LONG);
                Coroutine<String> reader = skein.spawn("reader", () -> receive(stream, 1));
                Await.untilWaiting(reader);
                send(pair.client(), "x");
                assertThat(reader.join()).isEqualTo("x");

                stream.readTimeout(SHORT);
                expectTimeout(() -> stream.read(ByteBuffer.allocate(10)));
            });
        }
    }

    @Test
    void aTimeoutOfZeroOrNullIsNone() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                TcpStream stream = pair.server();
                stream.readTimeout(SHORT);
                assertThat(stream.readTimeout()).isEqualTo(SHORT);
                expectTimeout(() -> stream.read(ByteBuffer.allocate(10)));

                stream.readTimeout(Duration.ZERO);
                Coroutine<String> reader = skein.spawn("reader", () -> receive(stream, 1));
                Await.untilWaiting(reader);
                send(pair.client(), "x");
                assertThat(reader.join()).isEqualTo("x");

                stream.readTimeout(null);
                assertThat(stream.readTimeout()).isZero();
            });
        }
    }

    @Test
    void aNegativeTimeoutIsAMistake() throws Exception {
        try (Pair pair = pair()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> pair.client().readTimeout(Duration.ofMillis(-1)))
                    .withMessageContaining("negative");
            assertThatIllegalArgumentException().isThrownBy(() -> pair.client().writeTimeout(Duration.ofMillis(-1)));
        }
    }

    @Test
    void otherThreadsTimeOutToo() throws Exception {
        try (Pair pair = pair()) {
            pair.server().readTimeout(SHORT);

            expectTimeout(() -> pair.server().read(ByteBuffer.allocate(10)));

            send(pair.client(), "hello");
            pair.server().readTimeout(LONG);
            assertThat(receive(pair.server(), 5)).isEqualTo("hello");
        }
    }

    @Test
    void aWriteToAPeerThatReadsNothingTimesOutAndTheSourceSaysHowMuchWentOut() throws Exception {
        for (ByteBuffer source :
                new ByteBuffer[] {ByteBuffer.allocateDirect(32 << 20), ByteBuffer.allocate(32 << 20)}) {
            try (Pair pair = pair()) {
                skein.blockOn(() -> {
                    pair.server().writeTimeout(Duration.ofMillis(20));
                    assertThat(pair.server().writeTimeout()).isEqualTo(Duration.ofMillis(20));

                    assertThatExceptionOfType(SocketTimeoutException.class)
                            .isThrownBy(() -> pair.server().write(source))
                            .withMessageStartingWith("write 127.0.0.1:")
                            .withMessageEndingWith(": timed out after 20 ms");

                    assertThat(source.position()).isBetween(1, source.limit() - 1);
                    pair.server().shutdownOutput();
                    assertThat(countToTheEnd(pair.client())).isEqualTo(source.position());
                });
            }
        }
    }

    @Test
    void afterATimeoutTheRestCanBeWritten() throws Exception {
        try (Pair pair = pair()) {
            ByteBuffer source = ByteBuffer.allocateDirect(16 << 20);
            skein.blockOn(() -> {
                pair.server().writeTimeout(Duration.ofMillis(20));
                expectTimeout(() -> pair.server().write(source));
                Coroutine<Long> reader = skein.spawn("reader", () -> countToTheEnd(pair.client()));
                pair.server().writeTimeout(LONG);

                pair.server().write(source);

                pair.server().shutdownOutput();
                assertThat(reader.join()).isEqualTo(source.capacity());
            });
        }
    }

    @Test
    void anAcceptWithoutAConnectionTimesOutAndTheListenerGoesOn() throws Exception {
        try (TcpListener listener = listen()) {
            skein.blockOn(() -> {
                listener.acceptTimeout(SHORT);
                assertThat(listener.acceptTimeout()).isEqualTo(SHORT);
                assertThatExceptionOfType(SocketTimeoutException.class)
                        .isThrownBy(listener::accept)
                        .withMessage(
                                "accept 127.0.0.1:" + listener.localAddress().getPort() + ": timed out after 5 ms");

                try (TcpStream client = TcpStream.connect(listener.localAddress());
                        TcpStream server = listener.acceptWithin(LONG)) {
                    send(client, "hello");
                    assertThat(receive(server, 5)).isEqualTo("hello");
                }
            });
        }
    }

    @Test
    void closeWakesAReaderThatHasATimeout() throws Exception {
        try (Pair pair = pair()) {
            pair.server().readTimeout(LONG);
            Coroutine<?> reader = skein.spawn("reader", () -> {
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> pair.server().read(ByteBuffer.allocate(1)))
                        .withMessageContaining("closed by another thread");
            });
            Await.untilWaiting(reader);

            pair.server().close();

            reader.join();
        }
    }

    @Test
    void anInterruptWakesAReaderThatHasATimeout() throws Exception {
        try (Pair pair = pair()) {
            pair.server().readTimeout(LONG);
            Coroutine<?> reader = skein.spawn("reader", () -> {
                assertThatExceptionOfType(InterruptedIOException.class)
                        .isThrownBy(() -> pair.server().read(ByteBuffer.allocate(1)))
                        .isNotInstanceOf(SocketTimeoutException.class);
                assertThat(Thread.interrupted()).isTrue();
            });
            Await.untilWaiting(reader);

            reader.thread().interrupt();

            reader.join();
        }
    }

    private interface Call {
        void make() throws IOException;
    }

    private static void expectTimeout(Call call) {
        assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(call::make);
    }

    private static long countToTheEnd(TcpStream stream) throws IOException {
        ByteBuffer target = ByteBuffer.allocateDirect(1 << 20);
        long total = 0;
        for (int count = 0; count >= 0; count = stream.read(target.clear())) {
            total += count;
        }
        return total;
    }
}
