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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A pinned coroutine talks to a plain thread: it goes on when the answer comes, and its worker is as it was afterwards. */
@DriverMode.Each
class PinnedSocketTest extends DriverModeTest {
    private static final int ROUND_TRIPS = 30;

    PinnedSocketTest(DriverMode mode) {
        super(mode);
    }

    @ParameterizedTest
    @CsvSource({"STREAM, NATIVE_FRAME", "STREAM, CLASS_INITIALISER", "SOCKET, NATIVE_FRAME", "SOCKET, CLASS_INITIALISER"
    })
    void answersComeAtOnce(Connection.Kind kind, PinnedBy pinnedBy) throws Exception {
        try (PlainEcho echo = PlainEcho.start()) {
            long[] took = new long[ROUND_TRIPS];
            skein.blockOn(() -> pinnedBy.run(() -> {
                try (Connection connection = kind.connect(skein, echo.address())) {
                    for (int i = 0; i < ROUND_TRIPS; i++) {
                        long start = System.nanoTime();
                        connection.exchange(1);
                        took[i] = System.nanoTime() - start;
                    }
                }
            }));

            PinnedBy.assertNotRescued(took);
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
