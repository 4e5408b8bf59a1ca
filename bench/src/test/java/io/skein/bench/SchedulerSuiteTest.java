package io.skein.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.bench.scheduler.SpawnJoin;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchedulerSuiteTest {
    @Test
    void everyClaimIsAboutContendersOfItsCase() {
        SuiteCheck.everyClaimIsAboutContendersOfItsCase(SchedulerSuite.SUITE);
    }

    @Test
    void everyContenderOfEveryCaseRuns() throws Exception {
        SuiteCheck.everyContenderRuns(SchedulerSuite.SUITE);
    }

    @Test
    void theCommandTellsAndWritesWhatItFound(@TempDir Path directory) throws Exception {
        StringWriter output = new StringWriter();
        Path json = directory.resolve("scheduler.json");
        int code = Main.commandLine()
                .setOut(new PrintWriter(output, true))
                .execute(
                        "scheduler",
                        "--case=spawn+join",
                        "--rounds=1",
                        "--seconds=0.1",
                        "--warmup=0",
                        "--json=" + json);
        assertThat(code).isZero();
        assertThat(output.toString()).contains("wanted", "all rounds are in " + json);
        assertThat(Files.readString(json)).contains("\"case\": \"spawn+join\"").doesNotContain("ping-pong");
    }

    @Test
    void aBenchmarkThatFailsEndsTheRunWithItsLog() {
        MicroContender unknown =
                MicroContender.of("nobody", SpawnJoin.class, "spawnJoin").with(Map.of("contender", "nobody"));
        JmhFork fork = new JmhFork(MicroCase.timed("spawn+join", unknown), unknown, List.of());
        assertThatExceptionOfType(BenchException.class)
                .isThrownBy(() -> fork.run(Duration.ZERO, Duration.ofMillis(100)))
                .withMessageContainingAll("spawn+join of nobody failed", "'nobody' makes no virtual threads");
    }
}
