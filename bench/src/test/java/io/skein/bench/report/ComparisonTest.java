package io.skein.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final List<String> SERVERS = List.of("skein", "jdk", "netty");

    @Test
    void comparesRoundByRound() {
        Comparison comparison = only(List.of(
                Rounds.of("jdk", 100, 1, 100, 8),
                Rounds.of("skein", 100, 1, 160, 5),
                Rounds.of("skein", 100, 2, 10, 500),
                Rounds.of("jdk", 100, 2, 80, 10),
                Rounds.of("jdk", 100, 3, 120, 6),
                Rounds.of("skein", 100, 3, 150, 6)));
        Ratio ratio = comparison.ratios().getFirst();
        assertThat(ratio.throughput()).as("of 1.6, 0.125, 1.25").isCloseTo(1.25, within(1e-9));
        assertThat(ratio.cpu()).as("of 0.625, 50, 1").isCloseTo(1, within(1e-9));
    }

    @Test
    void listsServersInTheGivenOrder() {
        Comparison comparison = only(List.of(
                Rounds.of("netty", 1, 1, 10, 1), Rounds.of("jdk", 1, 1, 10, 1), Rounds.of("skein", 1, 1, 10, 1)));
        assertThat(comparison.servers()).extracting(Figures::server).containsExactly("skein", "jdk", "netty");
    }

    @Test
    void putsTheRivalThatSkeinIsBehindFirst() {
        Comparison comparison = only(List.of(
                Rounds.of("skein", 1, 1, 100, 5), Rounds.of("jdk", 1, 1, 50, 9), Rounds.of("netty", 1, 1, 110, 6)));
        assertThat(comparison.ratios()).extracting(Ratio::rival).containsExactly("netty", "jdk");
    }

    @Test
    void moreCpuPerRequestIsBehindThoughThroughputIsAhead() {
        Comparison comparison = only(List.of(
                Rounds.of("skein", 1, 1, 100, 5), Rounds.of("jdk", 1, 1, 60, 6), Rounds.of("netty", 1, 1, 90, 4)));
        assertThat(comparison.ratios()).extracting(Ratio::rival).containsExactly("netty", "jdk");
        assertThat(comparison.ratios()).extracting(Ratio::behind).containsExactly(true, false);
    }

    @Test
    void keepsNumbersOfConnectionsApart() {
        List<Comparison> comparisons = Comparison.of(
                SERVERS,
                List.of(
                        Rounds.of("skein", 1000, 1, 10, 1),
                        Rounds.of("skein", 1, 1, 20, 1),
                        Rounds.of("skein", 1000, 2, 30, 1)),
                Precision.FULL);
        assertThat(comparisons)
                .extracting(comparison -> comparison.scenario().connections())
                .containsExactly(1000, 1);
        assertThat(comparisons
                        .getFirst()
                        .servers()
                        .getFirst()
                        .requestsPerSecond()
                        .median())
                .isCloseTo(20, within(1e-9));
    }

    @Test
    void hasNoRatiosWithoutSkein() {
        assertThat(only(List.of(Rounds.of("jdk", 1, 1, 10, 1))).ratios()).isEmpty();
    }

    private static Comparison only(List<Round> rounds) {
        List<Comparison> comparisons = Comparison.of(SERVERS, rounds, Precision.FULL);
        assertThat(comparisons).hasSize(1);
        return comparisons.getFirst();
    }
}
