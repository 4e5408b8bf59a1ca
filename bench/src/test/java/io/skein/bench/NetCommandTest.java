package io.skein.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.bench.load.Programs;
import io.skein.bench.load.Scenario;
import io.skein.bench.load.Traffic;
import io.skein.bench.server.Contender;
import io.skein.bench.server.Service;
import io.skein.bench.server.Setting;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParseResult;

class NetCommandTest {
    @Test
    void measuresEveryKindOfTraffic() {
        List<Traffic> all = Arrays.stream(Traffic.values())
                .filter(traffic -> !traffic.isOfLibrary())
                .filter(traffic -> !traffic.isWeb() || Programs.haveOne("wrk"))
                .toList();
        assertThat(plan().scenarios()).extracting(Scenario::traffic).containsAll(all);
    }

    @Test
    void echoesThreeSizesOverOneToThousandConnections() {
        assertThat(plan("--case", "ping_pong").scenarios())
                .hasSize(12)
                .contains(Scenario.closedLoop(Traffic.PING_PONG, 1000, 16_384));
    }

    @Test
    void quickIsShort() {
        assertThat(plan("--quick").estimate()).isLessThan(Duration.ofSeconds(150));
        assertThat(plan().estimate()).isLessThan(Duration.ofMinutes(25));
    }

    @Test
    void comparesWithVirtualThreadsAndNettyUnlessOthersAreNamed() {
        assertThat(plan().contenders())
                .containsExactly(Contender.SKEIN, Contender.JDK, Contender.NETTY_IO_URING, Contender.NETTY_EPOLL);
        assertThat(plan("--against", "netty-nio").contenders()).containsExactly(Contender.SKEIN, Contender.NETTY_NIO);
    }

    @Test
    void serversOfOneKindStayUpForAllScenariosThatTheyCanServe() {
        assertThat(plan("--case", "ping_pong,churn").settings())
                .containsOnlyKeys(new Setting(Service.ECHO, 4096), new Setting(Service.ECHO, 32_768));
    }

    private static LoadPlan plan(String... options) {
        ParseResult parsed = Main.commandLine()
                .parseArgs(
                        Stream.concat(Stream.of("net"), Arrays.stream(options)).toArray(String[]::new));
        return ((NetCommand) parsed.subcommand().commandSpec().userObject()).plan();
    }
}
