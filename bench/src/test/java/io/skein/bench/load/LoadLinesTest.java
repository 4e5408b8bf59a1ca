package io.skein.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoadLinesTest {
    @Test
    void anOrderSurvivesThePipe() {
        LoadOrder order = new LoadOrder(
                7000,
                4711,
                new Scenario(Traffic.TLS, 100, 1024, 5, 2, 50),
                Duration.ofMillis(300),
                Duration.ofSeconds(3));
        assertThat(LoadOrder.parse(order.toLine())).isEqualTo(order);
    }

    @Test
    void aReportSurvivesThePipe() {
        LoadReport report = new LoadReport(1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(LoadReport.parse(report.toLine())).isEqualTo(report);
    }

    @Test
    void aLineOfAnotherLengthIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LoadReport.parse("1 2 3"))
                .withMessageContaining("expected 9 numbers");
    }

    @Test
    void figuresComeFromCountsAndTimes() {
        LoadReport report = new LoadReport(
                300_000, 2_000_000_000L, 55_500, 80_000, 99_000, 99_500, 1, 1_800_000_000L, 500_000_000L);
        assertThat(report.requestsPerSecond()).isCloseTo(150_000, within(1e-6));
        assertThat(report.p50Micros()).isCloseTo(55.5, within(1e-9));
        assertThat(report.p99Micros()).isCloseTo(99, within(1e-9));
        assertThat(report.serverCpuMicros()).isCloseTo(6, within(1e-9));
        assertThat(report.serverCpuShare()).isCloseTo(0.9, within(1e-9));
        assertThat(report.clientCpuShare()).isCloseTo(0.25, within(1e-9));
    }
}
