package io.skein.bench.report;

import io.skein.bench.load.LoadReport;

/**
 * One server driven once.
 *
 * @param disturbance the share of a core that others took from server and load generator meanwhile
 */
public record Round(String server, int connections, int number, LoadReport report, double disturbance) {
    /** Above this share a round says little. */
    static final double TOLERABLE = 0.10;

    public boolean disturbed() {
        return disturbance > TOLERABLE;
    }
}
