package io.skein.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.bench.server.Contender;
import io.skein.bench.server.Server;
import io.skein.bench.server.Service;
import java.time.Duration;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TlsLoadTest {
    /** Netty's would choose another one, and cheaper, if it were asked. */
    @ParameterizedTest
    @EnumSource(names = {"SKEIN", "JDK", "NETTY_NIO"})
    void everyServerEncryptsAlike(Contender contender) throws Exception {
        try (Server server = contender.start(Service.TLS_ECHO, 4096);
                LoadGenerator load = new TlsLoad()) {
            try (SSLSocket socket = TlsLoad.connect(TlsLoad.trustingAnyServer(), server.port())) {
                assertThat(socket.getSession().getCipherSuite()).isEqualTo(TlsLoad.CIPHER_SUITE);
            }
            Scenario scenario = Scenario.closedLoop(Traffic.TLS, 2, 100);
            LoadOrder order = new LoadOrder(
                    server.port(), ProcessHandle.current().pid(), scenario, Duration.ZERO, Duration.ofMillis(100));
            LoadReport report = LongEnough.run(load, order, each -> each.requests() > 0);

            assertThat(load.describe()).endsWith("TLS_AES_256_GCM_SHA384");
            assertThat(report.requests()).isPositive();
        }
    }
}
