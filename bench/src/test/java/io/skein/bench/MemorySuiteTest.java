package io.skein.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.bench.report.Precision;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MemorySuiteTest {
    @Test
    void everyClaimIsAboutContendersOfItsCase() {
        SuiteCheck.everyClaimIsAboutContendersOfItsCase(MemorySuite.SUITE);
    }

    @Test
    @Tag("long") // a JVM for each of thirty contenders
    void everyContenderRuns() throws Exception {
        SuiteCheck.everyContenderRuns(MemorySuite.SUITE);
    }

    @Test
    void hasAsManyConnectionsAsDescriptorsAllow() {
        assertThat(idleCases(5_000)).isEmpty();
        assertThat(idleCases(20_000)).containsExactly("idle-10k");
        assertThat(idleCases(1_000_000)).containsExactly("idle-10k", "idle-100k");
    }

    @Test
    void quickIsShort() {
        MicroPlan plan = new MicroPlan(
                MemorySuite.SUITE.quick(), 2, Duration.ofSeconds(1), Duration.ofSeconds(1), 3, Precision.FULL);
        assertThat(plan.estimate()).isLessThan(Duration.ofSeconds(90));
    }

    private static List<String> idleCases(long descriptors) {
        return MemorySuite.cases(descriptors).stream()
                .map(MicroCase::name)
                .filter(name -> name.startsWith("idle"))
                .toList();
    }
}
