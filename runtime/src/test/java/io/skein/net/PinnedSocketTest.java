package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.DriverMode;
import io.skein.DriverModeTest;
import io.skein.PinnedBy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A pinned coroutine talks to a plain thread: it goes on when the answer comes, and its worker is as it was afterwards. */
@DriverMode.Each
class PinnedSocketTest extends DriverModeTest {
    private static final int ROUND_TRIPS = 30;

    /** Half of what the watchdog's looks would take, of which there is one every 100 ms. */
    private static final Duration BOUND = Duration.ofMillis(1500);

    PinnedSocketTest(DriverMode mode) {
        super(mode);
    }

    @ParameterizedTest
    @CsvSource({"STREAM, NATIVE_FRAME", "STREAM, CLASS_INITIALISER", "SOCKET, NATIVE_FRAME", "SOCKET, CLASS_INITIALISER"
    })
    void answersComeAtOnce(Connection.Kind kind, PinnedBy pinnedBy) throws Exception {
        try (PlainEcho echo = PlainEcho.start()) {
            long nanos = skein.blockOn(() -> {
                long start = System.nanoTime();
                pinnedBy.run(() -> {
                    try (Connection connection = kind.connect(skein, echo.address())) {
                        connection.exchange(ROUND_TRIPS);
                    }
                });
                return System.nanoTime() - start;
            });

            assertThat(Duration.ofNanos(nanos)).isLessThan(BOUND);
        }
    }

    @ParameterizedTest
    @CsvSource({"STREAM, NATIVE_FRAME", "STREAM, CLASS_INITIALISER", "SOCKET, NATIVE_FRAME", "SOCKET, CLASS_INITIALISER"
    })
    void afterwardsAnIdleReadLeavesTheWorkerToOthers(Connection.Kind kind, PinnedBy pinnedBy) throws Exception {
        try (PlainEcho echo = PlainEcho.start();
                ServerSocket listener = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
                Connection idle = kind.connect(skein, (InetSocketAddress) listener.getLocalSocketAddress());
                Socket peer = listener.accept()) {
            Coroutine<Integer> reader = skein.spawnOn(0, () -> {
                pinnedBy.run(() -> {
                    try (Connection connection = kind.connect(skein, echo.address())) {
                        connection.exchange(3);
                    }
                });
                return idle.read();
            });
            Await.untilInside("read", reader.thread());
            Await.untilWaiting(reader);

            String other = skein.spawnOn(0, () -> {
                        Thread.sleep(1);
                        try (Connection connection = kind.connect(skein, echo.address())) {
                            connection.exchange(3);
                        }
                        return "ran";
                    })
                    .get(20, TimeUnit.SECONDS);

            assertThat(other).isEqualTo("ran");
            assertThat(reader.isDone()).isFalse();
            peer.getOutputStream().write(7);
            assertThat(reader.join()).isEqualTo(7);
        }
    }
}
