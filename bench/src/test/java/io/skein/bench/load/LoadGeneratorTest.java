package io.skein.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.skein.bench.server.Contender;
import io.skein.bench.server.Server;
import io.skein.bench.server.Service;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
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
        try (Server server = Contender.JDK.start(Service.ECHO, 4096)) {
            LoadReport report = LongEnough.run(
                    generator, order(server.port(), 10, 100), each -> each.requests() > 0 && each.serverCpu() > 0);
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
        try (Server server = Contender.JDK.start(Service.ECHO, serverBuffer)) {
            assertThat(runUntilReplied(generator, order(server.port(), 3, 5000)).requests())
                    .isPositive();
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

    @Test
    void sendsAtTheRateThatIsAskedFor() throws Exception {
        try (Server server = Contender.JDK.start(Service.ECHO, 4096)) {
            int rate = 1000;
            long begun = System.nanoTime();
            LoadReport report =
                    runUntilReplied(ring(), order(server.port(), new Scenario(Traffic.PING_PONG, 10, 100, rate)));
            double due = 1 + rate * (System.nanoTime() - begun) / 1e9;
            assertThat((double) report.requests()).isPositive().isLessThanOrEqualTo(due);
        }
    }

    @Test
    void chargesAServerForRequestsThatWereDueWhileItStalled() throws Exception {
        try (StallingServer server = new StallingServer(Duration.ofMillis(500))) {
            Scenario scenario = new Scenario(Traffic.PING_PONG, 1, 10, 1000);
            LoadReport report = ring().run(new LoadOrder(
                    server.port(), ProcessHandle.current().pid(), scenario, Duration.ZERO, Duration.ofMillis(1500)));
            // In a closed loop only one request would have waited; here a third of them did.
            assertThat(report.p90()).isGreaterThan(Duration.ofMillis(100).toNanos());
        }
    }

    @Test
    void countsWhatAServerSendsByItself() throws Exception {
        try (Server server = Contender.JDK.start(Service.SOURCE, 4096)) {
            LoadReport report = LongEnough.run(
                    ring(),
                    order(server.port(), Scenario.closedLoop(Traffic.STREAM, 2, 4096)),
                    each -> each.requests() > 4096);
            assertThat(report.requests()).isGreaterThan(4096);
        }
    }

    @Test
    void connectsAsksAndClosesOverAndOver() throws Exception {
        try (Server server = Contender.JDK.start(Service.ECHO, 4096)) {
            LoadReport report =
                    runUntilReplied(ring(), order(server.port(), Scenario.closedLoop(Traffic.CHURN, 3, 100)));
            assertThat(report.requests()).isPositive();
            assertThat(report.p50()).isPositive();
        }
    }

    @Test
    void exchangesDatagrams() throws Exception {
        try (Server server = Contender.JDK.start(Service.DATAGRAMS, 4096)) {
            LoadReport report =
                    runUntilReplied(ring(), order(server.port(), Scenario.closedLoop(Traffic.DATAGRAMS, 5, 100)));
            assertThat(report.requests()).isPositive();
        }
    }

    @Test
    void theOneWithoutIoUringSaysWhatItDoesNotDrive() {
        Scenario scenario = Scenario.closedLoop(Traffic.CHURN, 1, 100);
        assertThatIOException()
                .isThrownBy(() -> new SelectorLoad("for comparison").run(order(1, scenario)))
                .withMessageContaining("only the load generator on io_uring");
    }

    private static LoadReport runUntilReplied(LoadGenerator generator, LoadOrder order) throws IOException {
        return LongEnough.run(generator, order, report -> report.requests() > 0);
    }

    private static RingLoad ring() {
        try {
            return new RingLoad();
        } catch (IOException noRing) {
            return Assumptions.abort(String.valueOf(noRing.getMessage()));
        }
    }

    private static void hangUp(ServerSocket server) {
        try {
            server.accept().close();
        } catch (IOException testEnded) {
            return;
        }
    }

    private static LoadOrder order(int port, int connections, int size) {
        return order(port, Scenario.closedLoop(Traffic.PING_PONG, connections, size));
    }

    private static LoadOrder order(int port, Scenario scenario) {
        return new LoadOrder(
                port, ProcessHandle.current().pid(), scenario, Duration.ofMillis(20), Duration.ofMillis(100));
    }
}
