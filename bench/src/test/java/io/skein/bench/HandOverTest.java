package io.skein.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.bench.sync.Contenders;
import io.skein.bench.sync.HandOver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HandOverTest {
    @ParameterizedTest
    @EnumSource
    void twoWaitForEachOtherInCoroutinesAndOnVirtualThreads(HandOver.Means means) throws Exception {
        for (String label : List.of(Contenders.SKEIN_JUC, Contenders.JUC)) {
            MicroContender contender = MicroContender.of(label, HandOver.class, "handOver")
                    .with(Map.of("contender", label, "workers", "2", "by", means.name()));
            JmhFork fork = new JmhFork(MicroCase.timed("hand-over", contender), contender, List.of());
            assertThat(fork.runHere(Duration.ofMillis(1))).isPositive();
        }
    }
}
