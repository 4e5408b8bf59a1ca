package io.skein.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.bench.load.Programs;
import io.skein.bench.load.Scenario;
import io.skein.bench.load.Traffic;
import io.skein.bench.server.Contender;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParameterException;

class LibrariesCommandTest {
    @Test
    void runsEachLibraryByOneWorkerAndByTwo() {
        assumeTrue(Programs.haveOne("wrk"), "wrk is not installed");
        assertThat(plan().scenarios())
                .contains(Scenario.closedLoop(Traffic.JETTY, 50, 128))
                .contains(Scenario.closedLoop(Traffic.JETTY, 50, 128).withWorkers(2))
                .allMatch(scenario -> scenario.traffic().isOfLibrary());
    }

    @Test
    void leavesOutWhatThisMachineHasNoProgramsFor() {
        List<Traffic> measured = plan("--case", "jedis,hikari,grpc").scenarios().stream()
                .map(Scenario::traffic)
                .toList();
        List<String> leftOut = command("--case", "jedis,hikari,grpc").leftOut();
        assertThat(measured.contains(Traffic.JEDIS)).isEqualTo(Programs.haveOne("redis-server"));
        assertThat(measured.contains(Traffic.HIKARI))
                .isEqualTo(Programs.haveOne("postgres") && Programs.haveOne("initdb"));
        assertThat(measured.contains(Traffic.GRPC)).isEqualTo(Programs.haveOne("h2load"));
        assertThat(leftOut.isEmpty()).isEqualTo(measured.stream().distinct().count() == 3);
    }

    @Test
    void comparesWithTheJdkAlone() {
        assertThat(plan().contenders()).containsExactly(Contender.SKEIN, Contender.JDK);
    }

    @Test
    void quickIsShort() {
        assertThat(plan("--quick").estimate()).isLessThan(Duration.ofMinutes(2));
        assertThat(plan().estimate()).isLessThan(Duration.ofMinutes(10));
    }

    @Test
    void refusesWhatIsNoLibrary() {
        assertThatThrownBy(() -> plan("--case", "stream"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("'STREAM' is no library here; there are HTTP_SERVER");
    }

    private static LoadPlan plan(String... options) {
        return command(options).plan();
    }

    private static LibrariesCommand command(String... options) {
        return (LibrariesCommand) Main.commandLine()
                .parseArgs(Stream.concat(Stream.of("libraries"), Arrays.stream(options))
                        .toArray(String[]::new))
                .subcommand()
                .commandSpec()
                .userObject();
    }
}
