package io.skein.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LoadTextTest {
    @Test
    void showsFiguresAndRatiosInColumns() {
        assertThat(render(Rounds.of("skein", 100, 1, 161_000, 5.9), Rounds.of("netty", 100, 1, 140_000, 7.1)))
                .isEqualTo("""
                        echo of 1 KiB, 100 connections
                        server     req/s   spread   p50 µs   p99 µs   CPU µs/req   spread   client CPU
                        skein    161,000      0 %     50.0    100.0         5.90      0 %         50 %
                        netty    140,000      0 %     50.0    100.0         7.10      0 %         50 %

                        skein over   req/s   CPU/req    p99
                        netty         1.15      0.83   1.00   ahead
                        """);
    }

    @Test
    void saysWhereSkeinIsBehind() {
        assertThat(render(Rounds.of("skein", 1, 1, 100, 5), Rounds.of("netty", 1, 1, 90, 4)))
                .startsWith("echo of 1 KiB, 1 connection\n")
                .contains("BEHIND in CPU")
                .endsWith("behind, probably because: a virtual thread's switch, which an event loop does without\n");
        assertThat(render(Rounds.of("skein", 1, 1, 80, 3), Rounds.of("netty", 1, 1, 90, 4)))
                .contains("BEHIND in req/s");
        assertThat(render(Rounds.of("skein", 1, 1, 80, 5), Rounds.of("netty", 1, 1, 90, 4)))
                .contains("BEHIND\n");
    }

    @Test
    void saysWhySkeinIsNotAheadWhereTheRoundsShowNoDifference() {
        assertThat(render(
                        Rounds.of("skein", 1, 1, 100, 5),
                        Rounds.of("netty", 1, 1, 100, 4),
                        Rounds.of("skein", 1, 2, 100, 4),
                        Rounds.of("netty", 1, 2, 100, 5),
                        Rounds.of("skein", 1, 3, 100, 4.2),
                        Rounds.of("netty", 1, 3, 100, 4)))
                .contains("no difference")
                .endsWith("not ahead, probably because: a virtual thread's switch, which an event loop does without\n");
    }

    @Test
    void marksARowWhoseClientWasTheBottleneck() {
        assertThat(render(Rounds.of("skein", 1, 1, 100, 5, 0.97)))
                .contains("* 97 %")
                .contains("may have more to give");
        assertThat(render(Rounds.of("skein", 1, 1, 100, 5, 0.95))).doesNotContain("*");
    }

    private static String render(Round... rounds) {
        return LoadText.render(Comparison.of(List.of("skein", "netty"), List.of(rounds), Precision.FULL)
                .getFirst());
    }
}
