package io.skein.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.bench.server.Contender;
import io.skein.bench.server.Server;
import io.skein.bench.server.Service;
import io.skein.bench.server.Setting;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClientLoadTest {
    @Test
    void drivesProgramsOfJedis() throws Exception {
        assumeTrue(Programs.haveOne(Redis.PROGRAM), "redis-server is not installed");
        drives(Service.JEDIS, Traffic.JEDIS, Redis::start);
    }

    @Test
    void drivesProgramsOfHikariCp() throws Exception {
        assumeTrue(Programs.haveOne(Postgres.PROGRAM), "postgres is not installed");
        assumeTrue(Programs.haveOne(Postgres.PREPARES), "initdb is not installed");
        drives(Service.HIKARI, Traffic.HIKARI, Postgres::start);
    }

    private static void drives(Service service, Traffic traffic, ClientLoad.Starter starter) throws Exception {
        try (LoadGenerator load = new ClientLoad(starter)) {
            for (Contender contender : List.of(Contender.SKEIN, Contender.JDK)) {
                try (Server program = contender.start(new Setting(service, 4096))) {
                    LoadReport report = LongEnough.run(
                            load, order(program, traffic), each -> each.requests() > 0 && each.serverCpu() > 0);
                    assertThat(report.requests()).isPositive();
                    assertThat(report.serverCpu()).isPositive();
                    assertThat(report.p99()).isPositive();
                    load.run(order(program, traffic)); // with the connections that it has
                }
            }
        }
        assertThat(ProcessHandle.current().children()).isEmpty();
    }

    @Test
    void tellsWhatAClientSays() throws Exception {
        ClientLoad.Starter nobody = () -> {
            throw new IOException("there is nobody");
        };
        try (LoadGenerator load = new ClientLoad(nobody);
                Server program = Contender.JDK.start(new Setting(Service.JEDIS, 4096))) {
            assertThatIOException()
                    .isThrownBy(() -> load.run(order(program, Traffic.JEDIS)))
                    .withMessage("there is nobody");
        }
    }

    private static LoadOrder order(Server program, Traffic traffic) {
        Scenario scenario = Scenario.closedLoop(traffic, 12, 128);
        return new LoadOrder(program.port(), program.pid(), scenario, Duration.ZERO, Duration.ofMillis(100));
    }
}
