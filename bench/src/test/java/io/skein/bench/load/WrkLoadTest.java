package io.skein.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.skein.bench.server.Contender;
import io.skein.bench.server.Server;
import io.skein.bench.server.Service;
import io.skein.bench.server.Setting;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class WrkLoadTest {
    private static final String TOLD = """
            Running 2s test @ http://127.0.0.1:7000/hello
              1 threads and 100 connections
              Thread Stats   Avg      Stdev     Max   +/- Stdev
                Latency   754.63us  110.93us   6.82ms   84.83%
                Req/Sec   131.12k    17.20k  142.34k    90.00%
              Latency Distribution
                 50%  725.00us
                 75%  790.00us
                 90%    0.88ms
                 99%    1.10ms
              260731 requests in 2.01s, 17.65MB read
            Requests/sec: 129716.66
            Transfer/sec:      8.78MB
            """;

    @Test
    void readsWhatWrkTells() throws Exception {
        assertThat(WrkLoad.parse(TOLD, 8, 9))
                .isEqualTo(new LoadReport(260_731, 2_010_000_000L, 725_000, 880_000, 1_100_000, 0, 6_820_000, 8, 9));
    }

    @Test
    void answersThatAreNoneAreAFailure() {
        assertThatIOException()
                .isThrownBy(() -> WrkLoad.parse(TOLD + "  Non-2xx or 3xx responses: 12\n", 0, 0))
                .withMessageContaining("responses: 12");
        assertThatIOException()
                .isThrownBy(() -> WrkLoad.parse("unable to connect", 0, 0))
                .withMessageContaining("unable to connect");
    }

    @Test
    void drivesAWebServer() throws Exception {
        Assumptions.assumeTrue(Programs.haveOne(WrkLoad.PROGRAM), "wrk is not installed");
        try (Server server = Contender.JDK.start(new Setting(Service.HTTP, 4096));
                LoadGenerator wrk = new WrkLoad()) {
            Scenario scenario = Scenario.closedLoop(Traffic.HTTP, 2, 128);
            LoadOrder order =
                    new LoadOrder(server.port(), server.pid(), scenario, Duration.ZERO, Duration.ofMillis(100));
            LoadReport report = LongEnough.run(wrk, order, each -> each.requests() > 0 && each.serverCpu() > 0);
            assertThat(report.requests()).isPositive();
            assertThat(report.serverCpu()).isPositive();
        }
    }
}
