package io.skein.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GrowthTest {
    @Test
    void casesThatDifferInTheirNumberAreOneChartInItsOrder() {
        List<Chart> charts = Growth.charts(findings(
                sample("parked-1M", "skein", 30), sample("parked-10k", "skein", 10), sample("parked-10k", "jdk", 20)));
        assertThat(charts).hasSize(1);
        Chart chart = charts.getFirst();
        assertThat(chart.title()).isEqualTo("parked");
        assertThat(chart.points()).containsExactly("10k", "1000k");
        assertThat(chart.lines())
                .contains(
                        new Chart.Line("skein", List.of(10.0, 30.0)), new Chart.Line("jdk", List.of(20.0, Double.NaN)));
    }

    @Test
    void oneNumberAloneIsNoChart() {
        assertThat(Growth.charts(findings(sample("parked-10k", "skein", 10), sample("spawn+join", "skein", 1))))
                .isEmpty();
    }

    private static Findings findings(Sample... samples) {
        return new Findings(List.of(samples), List.of(), Precision.FULL);
    }

    private static Sample sample(String subject, String contender, double cost) {
        return new Sample(subject, contender, 1, cost, "bytes", 0, false);
    }
}
