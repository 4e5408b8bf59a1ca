package io.skein.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.bench.load.Scenario;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScalingCommandTest {
    @Test
    void goesFromOneToManyConnectionsAndFromFewToManyBytes() {
        assertThat(plan("--workers=2").scenarios())
                .extracting(Scenario::connections)
                .contains(1, 10, 100, 1000);
        assertThat(plan("--workers=2").scenarios()).extracting(Scenario::size).contains(128, 1024, 65_536);
    }

    @Test
    void everyNumberOfWorkersServesTheSame() {
        assertThat(plan("--workers=2").scenarios().stream()
                        .filter(scenario -> scenario.workers() == 2)
                        .map(scenario -> scenario.withWorkers(1)))
                .isNotEmpty()
                .isSubsetOf(plan("--workers=2").scenarios());
    }

    @Test
    void workersDoubleUntilThereAreAsManyAsCores() {
        assertThat(ScalingCommand.upTo(1)).containsExactly(1);
        assertThat(ScalingCommand.upTo(2)).containsExactly(1, 2);
        assertThat(ScalingCommand.upTo(6)).containsExactly(1, 2, 4, 6);
    }

    @Test
    void nothingIsMeasuredTwice() {
        assertThat(plan("--workers=2").scenarios()).doesNotHaveDuplicates();
    }

    @Test
    void quickIsShort() {
        assertThat(plan("--quick", "--workers=2").estimate()).isLessThan(Duration.ofMinutes(2));
        assertThat(plan("--workers=2").estimate()).isLessThan(Duration.ofMinutes(25));
    }

    private static LoadPlan plan(String... options) {
        return ((ScalingCommand) Main.commandLine()
                        .parseArgs(Stream.concat(Stream.of("scaling"), Arrays.stream(options))
                                .toArray(String[]::new))
                        .subcommand()
                        .commandSpec()
                        .userObject())
                .plan();
    }
}
