package io.skein.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.bench.server.Contender;
import io.skein.bench.server.Server;
import io.skein.bench.server.Service;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TlsLoadTest {
    /** The load generator accepts one cipher only, so whoever answers it encrypts with that. */
    @ParameterizedTest
    @EnumSource(names = {"SKEIN", "JDK", "NETTY_NIO"})
    void everyServerEncryptsAlike(Contender contender) throws Exception {
        try (Server server = contender.start(Service.TLS_ECHO, 4096);
                LoadGenerator load = new TlsLoad()) {
            Scenario scenario = Scenario.closedLoop(Traffic.TLS, 2, 100);
            LoadReport report = load.run(new LoadOrder(
                    server.port(), ProcessHandle.current().pid(), scenario, Duration.ZERO, Duration.ofMillis(100)));

            assertThat(load.describe()).endsWith("TLS_AES_256_GCM_SHA384");
            assertThat(report.requests()).isPositive();
        }
    }
}
