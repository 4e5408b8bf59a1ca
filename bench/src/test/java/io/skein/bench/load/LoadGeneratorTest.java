package io.skein.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.skein.bench.server.Contender;
import io.skein.bench.server.EchoServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every load generator must do, run against each that this machine has. */
class LoadGeneratorTest {
    static Stream<LoadGenerator> generators() {
        LoadGenerator selector = new SelectorLoad("for comparison");
        try {
            return Stream.of(selector, new RingLoad());
        } catch (IOException noRing) {
            return Stream.of(selector);
        }
    }

    @ParameterizedTest
    @MethodSource("generators")
    void countsWholeReplies(LoadGenerator generator) throws Exception {
        try (EchoServer server = Contender.JDK.start(4096)) {
            LoadReport report = generator.run(order(server.port(), 10, 100));
            assertThat(report.requests()).isPositive();
            assertThat(report.wall())
                    .isGreaterThanOrEqualTo(Duration.ofMillis(100).toNanos());
            assertThat(report.p50()).isPositive().isLessThanOrEqualTo(report.p99());
            assertThat(report.worst()).isGreaterThanOrEqualTo(report.p99());
            assertThat(report.serverCpu()).isPositive();
            assertThat(report.clientCpu()).isPositive();
        }
    }

    @ParameterizedTest
    @MethodSource("generators")
    void putsRepliesTogetherThatComeInPieces(LoadGenerator generator) throws Exception {
        int serverBuffer = 7;
        try (EchoServer server = Contender.JDK.start(serverBuffer)) {
            assertThat(generator.run(order(server.port(), 3, 5000)).requests()).isPositive();
        }
    }

    @ParameterizedTest
    @MethodSource("generators")
    void saysThatTheServerHungUp(LoadGenerator generator) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> hangUp(server));
            assertThatIOException().isThrownBy(() -> generator.run(order(server.getLocalPort(), 1, 100)));
        }
    }

    @ParameterizedTest
    @MethodSource("generators")
    void saysThatNobodyListens(LoadGenerator generator) throws Exception {
        int port;
        try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = unused.getLocalPort();
        }
        assertThatIOException().isThrownBy(() -> generator.run(order(port, 1, 100)));
    }

    private static void hangUp(ServerSocket server) {
        try {
            server.accept().close();
        } catch (IOException testEnded) {
            return;
        }
    }

    private static LoadOrder order(int port, int connections, int size) {
        return new LoadOrder(
                port, ProcessHandle.current().pid(), connections, size, Duration.ofMillis(20), Duration.ofMillis(100));
    }
}
