package io.skein.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.skein.bench.load.Scenario;
import io.skein.bench.load.Traffic;
import io.skein.bench.server.Contender;
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

class EchoCommandTest {
    @Test
    void withoutOptionsMeasuresFewAndManyConnectionsAgainstEveryRival() {
        LoadPlan plan = plan();
        assertThat(plan.scenarios())
                .containsExactly(
                        Scenario.closedLoop(Traffic.PING_PONG, 1, 1024),
                        Scenario.closedLoop(Traffic.PING_PONG, 100, 1024),
                        Scenario.closedLoop(Traffic.PING_PONG, 1000, 1024),
                        new Scenario(Traffic.PING_PONG, 100, 1024, 10_000));
        assertThat(plan.effort().rounds()).isEqualTo(5);
        assertThat(plan.effort().window()).isEqualTo(Duration.ofSeconds(1));
        assertThat(plan.effort().warmup()).isEqualTo(Duration.ofSeconds(1));
        assertThat(plan.estimate()).isLessThan(Duration.ofMinutes(11));
        assertThat(plan.contenders()).containsExactly(Contender.values());
    }

    @Test
    void takesAListOfConnections() {
        assertThat(plan("--connections", "1,100,1000,1", "--rate", "0").scenarios())
                .extracting(Scenario::connections)
                .containsExactly(1, 100, 1000);
    }

    @Test
    void skeinIsAlwaysThereAndFirst() {
        assertThat(plan("--against", "netty-epoll,jdk").contenders())
                .containsExactly(Contender.SKEIN, Contender.NETTY_EPOLL, Contender.JDK);
    }

    @Test
    void takesFractionsOfASecond() {
        assertThat(plan("--seconds", "0.25").effort().window()).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void quickIsShort() {
        LoadPlan plan = plan("--quick");
        assertThat(plan.effort().rounds()).isEqualTo(5);
        assertThat(plan.estimate()).isLessThan(Duration.ofMinutes(2));
    }

    @Test
    void theBufferIsLargerThanARequest() {
        assertThat(LoadPlan.bufferSize(Scenario.closedLoop(Traffic.PING_PONG, 1, 1)))
                .isEqualTo(4096);
        assertThat(LoadPlan.bufferSize(Scenario.closedLoop(Traffic.PING_PONG, 1, 65_536)))
                .isEqualTo(131_072);
    }

    static Stream<Arguments> wrongOptions() {
        return Stream.of(
                arguments("--colour blue", "Unknown option"),
                arguments("--connections 0", "--connections must be from 1 to 10000, not 0"),
                arguments("--connections 1,,2", "'' is not an int"),
                arguments("--connections many", "'many' is not an int"),
                arguments("--size 65537", "--size must be from 1 to 65536"),
                arguments("--rounds -1", "--rounds must be from 1 to 1000"),
                arguments("--seconds NaN", "--seconds must be from 0.1 to 3600"),
                arguments("--warmup -1", "--warmup must be from 0 to 3600"),
                arguments("--against tokio", "'tokio' is no rival; there are jdk, jdk-socket, netty-io_uring"),
                arguments("--against skein", "'skein' is no rival"),
                arguments("--json /", "/ is a directory"),
                arguments("extra", "extra"));
    }

    @ParameterizedTest
    @MethodSource("wrongOptions")
    void refusesAWrongOptionInOneSentence(String options, String sentence) {
        StringWriter error = new StringWriter();
        int code = Main.commandLine().setErr(new PrintWriter(error, true)).execute(("echo " + options).split(" ", -1));
        assertThat(code).isEqualTo(2);
        assertThat(error.toString().lines()).hasSize(1);
        assertThat(error.toString()).contains(sentence);
    }

    @Test
    void withoutASuiteListsThoseThereAre() {
        StringWriter output = new StringWriter();
        int code = Main.commandLine().setOut(new PrintWriter(output, true)).execute();
        assertThat(code).isZero();
        assertThat(output.toString()).contains("echo").doesNotContain("serve").doesNotContain("load");
    }

    private static LoadPlan plan(String... options) {
        ParseResult parsed = Main.commandLine()
                .parseArgs(
                        Stream.concat(Stream.of("echo"), Arrays.stream(options)).toArray(String[]::new));
        return ((EchoCommand) parsed.subcommand().commandSpec().userObject()).plan();
    }
}
