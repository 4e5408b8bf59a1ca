package io.skein.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BlockingSuiteTest {
    @Test
    void everyClaimIsAboutContendersOfItsCase() {
        SuiteCheck.everyClaimIsAboutContendersOfItsCase(BlockingSuite.SUITE);
    }

    @Test
    @Tag("long") // a JVM for each of fifty-six contenders
    void everyContenderRuns() throws Exception {
        SuiteCheck.everyContenderRuns(BlockingSuite.SUITE);
    }

    /** No faster than it asks for. How much slower is what the suite measures. */
    @Test
    void aTickTakesTenMillisecondsOrMore() throws Exception {
        MicroCase pipe =
                BlockingSuite.SUITE.only(List.of("process-pipe")).cases().getFirst();
        for (MicroContender contender : pipe.contenders()) {
            JmhFork fork = new JmhFork(pipe, contender, List.of());
            assertThat(fork.run(Duration.ZERO, Duration.ofMillis(1))).isGreaterThan(9);
        }
    }
}
