package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@Setup.Each
class HalfCloseTest extends NetworkTest {
    HalfCloseTest(Setup setup) {
        super(setup);
    }

    @Test
    void afterShutdownOfTheInputReadsEndWhateverComes() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                pair.server().shutdownInput();
                send(pair.client(), "hello");

                assertThat(pair.server().read(ByteBuffer.allocate(10))).isEqualTo(-1);
                assertThat(pair.server().read(new ByteBuffer[] {ByteBuffer.allocate(10)}))
                        .isEqualTo(-1);
            });
        }
    }

    @Test
    void shutdownOfTheInputEndsTheReadThatWaits() throws Exception {
        try (Pair pair = pair()) {
            Coroutine<Integer> reader =
                    skein.spawn("reader", () -> pair.server().read(ByteBuffer.allocate(10)));
            Await.untilWaiting(reader);

            pair.server().shutdownInput();

            assertThat(reader.join()).isEqualTo(-1);
        }
    }

    @Test
    void afterShutdownOfTheInputWritingGoesOn() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                pair.server().shutdownInput();
                send(pair.server(), "hello");
                assertThat(receive(pair.client(), 5)).isEqualTo("hello");
            });
        }
    }

    @Test
    void afterShutdownOfTheOutputReadingGoesOnAndWritingFails() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                pair.client().shutdownOutput();
                assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
                send(pair.server(), "hello");
                assertThat(receive(pair.client(), 5)).isEqualTo("hello");
                assertThatExceptionOfType(SocketException.class).isThrownBy(() -> send(pair.client(), "more"));
            });
        }
    }

    @Test
    void aLingerOfZeroResetsTheConnection() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                pair.client().setOption(StandardSocketOptions.SO_LINGER, 0);
                pair.client().close();
                assertThatExceptionOfType(SocketException.class)
                        .isThrownBy(() -> pair.server().read(ByteBuffer.allocate(1)))
                        .withMessageContaining("reset");
            });
        }
    }

    /** The peer reads nothing: a close that lingered would hold the worker for a minute. */
    @Test
    void aLingerDoesNotHoldTheWorker() throws Exception {
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                pair.server().setOption(StandardSocketOptions.SO_LINGER, 60);
                pair.server().writeTimeout(Duration.ofMillis(20));
                assertThatExceptionOfType(SocketTimeoutException.class)
                        .isThrownBy(() -> pair.server().write(ByteBuffer.allocateDirect(32 << 20)));
                pair.server().close();
                long received = 0;
                ByteBuffer target = ByteBuffer.allocateDirect(1 << 20);
                for (int count = 0; count >= 0; count = pair.client().read(target.clear())) {
                    received += count;
                }
                assertThat(received).isPositive();
            });
        }
    }
}
