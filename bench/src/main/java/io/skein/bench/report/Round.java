package io.skein.bench.report;

import io.skein.bench.load.LoadReport;
import io.skein.bench.load.Scenario;

/**
 * One server driven once.
 *
 * @param disturbance the share of a core that others took from server and load generator meanwhile
 * @param shared whether the load generator had to share a core with the server
 */
public record Round(
        String server, Scenario scenario, int number, LoadReport report, double disturbance, boolean shared) {
    /** Above this share a round says little. */
    static final double TOLERABLE = 0.10;

    /** Above this share of its core the load generator may be what limits the throughput. */
    static final double CLIENT_LIMIT = 0.95;

    public boolean disturbed() {
        return disturbance > TOLERABLE;
    }

    /** Whether the load generator may have been the limit: it had not enough for itself, or took from the server. */
    public boolean clientBound() {
        return report.clientCpuShare() > (shared ? TOLERABLE : CLIENT_LIMIT);
    }

    /** Server CPU microseconds per operation. */
    public double cpuMicros() {
        return report.serverCpuMicros() * scenario.traffic().counted();
    }

    public double perSecond() {
        return report.requestsPerSecond() / scenario.traffic().counted();
    }
}
