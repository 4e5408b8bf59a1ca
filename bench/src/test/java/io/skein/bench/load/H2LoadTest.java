package io.skein.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.bench.server.Contender;
import io.skein.bench.server.Server;
import io.skein.bench.server.Service;
import io.skein.bench.server.Setting;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class H2LoadTest {
    private static final String TOLD = """
            starting benchmark...
            Main benchmark duration is over for thread #0. Stopping all clients.

            finished in 1.01s, 3.00 req/s, 212.34KB/s
            requests: 3 total, 5 started, 3 done, 3 succeeded, 0 failed, 0 errored, 0 timeout
            status codes: 3 2xx, 0 3xx, 0 4xx, 0 5xx
            """;

    @Test
    void readsWhatH2loadTells() throws Exception {
        Stream<String> log = Stream.of("1000\t200\t100", "1100\t200\t300", "1400\t200\t200");
        assertThat(H2Load.parse(TOLD, log))
                .isEqualTo(new LoadReport(3, 1_010_000_000L, 200_000, 300_000, 300_000, 300_000, 300_000, 0, 0));
    }

    @Test
    void callsThatFailAreAFailure() {
        assertThatIOException()
                .isThrownBy(() -> H2Load.parse(TOLD.replace("3 succeeded, 0", "2 succeeded, 1"), Stream.of()))
                .withMessageContaining("1 failed");
        assertThatIOException()
                .isThrownBy(() -> H2Load.parse("unable to connect", Stream.of()))
                .withMessageContaining("unable to connect");
    }

    @Test
    void drivesGrpc() throws Exception {
        assumeTrue(Programs.haveOne(H2Load.PROGRAM), "h2load is not installed");
        try (Server server = Contender.SKEIN.start(new Setting(Service.GRPC, 4096));
                LoadGenerator h2load = new H2Load()) {
            Scenario scenario = Scenario.closedLoop(Traffic.GRPC, 2, 128);
            LoadOrder order =
                    new LoadOrder(server.port(), server.pid(), scenario, Duration.ZERO, Duration.ofMillis(100));
            LoadReport report = LongEnough.run(h2load, order, each -> each.requests() > 0 && each.serverCpu() > 0);
            assertThat(report.requests()).isPositive();
            assertThat(report.p99()).isPositive();
        }
    }
}
