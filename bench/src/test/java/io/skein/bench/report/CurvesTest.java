package io.skein.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.junit.jupiter.api.Test;

class CurvesTest {
    private static final Round HUNDRED = Rounds.of("skein", 100, 1, 100, 5);

    @Test
    void scenariosThatDifferInConnectionsAreOneCurveInTheirOrder() {
        List<Chart> charts = curves(HUNDRED, Rounds.of("skein", 1, 1, 100, 7), Rounds.of("jdk", 1, 1, 100, 9));
        assertThat(charts)
                .containsExactly(new Chart(
                        "CPU of echo of 1 KiB",
                        List.of("1", "100"),
                        "µs/req, by connections",
                        List.of(
                                new Chart.Line("skein", List.of(7.0, 5.0)),
                                new Chart.Line("jdk", List.of(9.0, Double.NaN)))));
    }

    @Test
    void scenariosThatDifferInWorkersShowThroughputToo() {
        assertThat(curves(HUNDRED, Rounds.by(2, Rounds.of("skein", 100, 1, 190, 6), false)))
                .containsExactly(
                        new Chart(
                                "Throughput of echo of 1 KiB, 100 connections",
                                List.of("1", "2"),
                                "req/s, by workers",
                                List.of(new Chart.Line("skein", List.of(100.0, 190.0)))),
                        new Chart(
                                "CPU of echo of 1 KiB, 100 connections",
                                List.of("1", "2"),
                                "µs/req, by workers",
                                List.of(new Chart.Line("skein", List.of(5.0, 6.0)))));
    }

    @Test
    void scenariosThatDifferInSizeSayThemOnTheAxis() {
        Round larger = new Round("skein", HUNDRED.scenario().withSize(65_536), 1, HUNDRED.report(), 0, false);
        assertThat(curves(HUNDRED, larger))
                .extracting(Chart::title, Chart::points)
                .containsExactly(tuple("CPU of echo, 100 connections", List.of("1 KiB", "64 KiB")));
    }

    @Test
    void scenariosThatDifferInMoreAreNoCurve() {
        Round other = new Round(
                "skein", HUNDRED.scenario().withSize(65_536).withConnections(1), 1, HUNDRED.report(), 0, false);
        assertThat(curves(HUNDRED, other)).isEmpty();
    }

    private static List<Chart> curves(Round... rounds) {
        return Curves.of(Comparison.of(List.of("skein", "jdk"), List.of(rounds), Precision.FULL));
    }
}
