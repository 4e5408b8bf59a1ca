package io.skein.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.ParseResult;

class MicroCommandTest {
    @Test
    void withoutOptionsRunsEveryCase() {
        MicroPlan plan = plan();
        assertThat(plan.suite()).isEqualTo(SchedulerSuite.SUITE);
        assertThat(plan.rounds()).isEqualTo(5);
        assertThat(plan.window()).isEqualTo(Duration.ofSeconds(1));
        assertThat(plan.warmup()).isEqualTo(Duration.ofSeconds(2));
        assertThat(plan.repeats()).isEqualTo(3);
    }

    @Test
    void runsOnlyTheCasesThatAreAskedFor() {
        assertThat(plan("--case", "ping-pong,spawn+join").suite().caseNames())
                .containsExactly("spawn+join", "ping-pong");
    }

    @Test
    void quickIsShort() {
        MicroPlan plan = plan("--quick");
        assertThat(plan.rounds()).isEqualTo(5);
        assertThat(plan.estimate()).isLessThan(Duration.ofMinutes(2));
    }

    @Test
    void quickLeavesOutThoseOfWhomNothingIsWanted() {
        assertThat(plan("--quick").suite().rivals()).contains("jdk").doesNotContain("kotlin");
        assertThat(plan("--quick", "--against", "kotlin").suite().rivals()).containsExactly("kotlin");
        assertThat(plan().suite().rivals()).contains("jdk", "kotlin");
    }

    static Stream<Arguments> wrongOptions() {
        return Stream.of(
                arguments("--colour blue", "Unknown option"),
                arguments("--case swim", "'swim' is no case; there are spawn+join, park/unpark, ping-pong"),
                arguments("--rounds 0", "--rounds must be from 1 to 1000, not 0"),
                arguments("--seconds 0", "--seconds must be from 0.1 to 3600"),
                arguments("--warmup -1", "--warmup must be from 0 to 3600"),
                arguments("--json /", "/ is a directory"));
    }

    @ParameterizedTest
    @MethodSource("wrongOptions")
    void refusesAWrongOptionInOneSentence(String options, String sentence) {
        StringWriter error = new StringWriter();
        int code = Main.commandLine()
                .setErr(new PrintWriter(error, true))
                .execute(("scheduler " + options).split(" ", -1));
        assertThat(code).isEqualTo(2);
        assertThat(error.toString().lines()).hasSize(1);
        assertThat(error.toString()).contains(sentence);
    }

    @Test
    void theHelpNamesTheCases() {
        StringWriter output = new StringWriter();
        int code = Main.commandLine().setOut(new PrintWriter(output, true)).execute("scheduler", "--help");
        assertThat(code).isZero();
        assertThat(output.toString())
                .contains("scheduler", SchedulerSuite.SUITE.description())
                .contains("Cases: spawn+join, park/unpark, ping-pong, shared-work, parked-heap");
    }

    @Test
    void theSuiteIsListed() {
        StringWriter output = new StringWriter();
        Main.commandLine().setOut(new PrintWriter(output, true)).execute();
        assertThat(output.toString()).contains("scheduler  Spawning", "coroutine  Tasks", "sync       Channels");
    }

    private static MicroPlan plan(String... options) {
        ParseResult parsed = Main.commandLine()
                .parseArgs(Stream.concat(Stream.of("scheduler"), Arrays.stream(options))
                        .toArray(String[]::new));
        return ((MicroCommand) parsed.subcommand().commandSpec().userObject()).plan();
    }
}
