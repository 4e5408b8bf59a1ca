package io.skein.bench.report;

import io.skein.bench.load.LoadReport;
import java.util.List;

/** One server at one number of connections, over all rounds. */
public record Figures(
        String server,
        Series requestsPerSecond,
        Series p50Micros,
        Series p99Micros,
        Series serverCpuMicros,
        Series serverCpuShare,
        Series clientCpuShare) {
    /** Above this share of its core the load generator may be what limits the throughput. */
    static final double CLIENT_LIMIT = 0.95;

    static Figures of(String server, List<LoadReport> reports) {
        return new Figures(
                server,
                Series.of(reports, LoadReport::requestsPerSecond),
                Series.of(reports, LoadReport::p50Micros),
                Series.of(reports, LoadReport::p99Micros),
                Series.of(reports, LoadReport::serverCpuMicros),
                Series.of(reports, LoadReport::serverCpuShare),
                Series.of(reports, LoadReport::clientCpuShare));
    }

    boolean clientBound() {
        return clientCpuShare.median() > CLIENT_LIMIT;
    }
}
