package io.skein.bench.report;

import io.skein.bench.load.LoadReport;
import io.skein.bench.load.Scenario;

/**
 * One server driven once.
 *
 * @param disturbance the share of a core that others took from server and load generator meanwhile
 */
public record Round(String server, Scenario scenario, int number, LoadReport report, double disturbance) {
    /** Above this share a round says little. */
    static final double TOLERABLE = 0.10;

    public boolean disturbed() {
        return disturbance > TOLERABLE;
    }

    /** Server CPU microseconds per operation. */
    public double cpuMicros() {
        return report.serverCpuMicros() * scenario.traffic().counted();
    }

    public double perSecond() {
        return report.requestsPerSecond() / scenario.traffic().counted();
    }
}
