package io.skein.bench.report;

import io.skein.bench.load.LoadReport;
import java.util.List;

/**
 * One server in one scenario, over all rounds.
 *
 * @param clientBound whether in most rounds the load generator may have been the limit
 */
public record Figures(
        String server,
        Series requestsPerSecond,
        Series p50Micros,
        Series p99Micros,
        Series serverCpuMicros,
        Series serverCpuShare,
        Series clientCpuShare,
        boolean clientBound) {

    static Figures of(String server, List<Round> rounds) {
        List<LoadReport> reports = rounds.stream().map(Round::report).toList();
        return new Figures(
                server,
                Series.of(rounds, Round::perSecond),
                Series.of(reports, LoadReport::p50Micros),
                Series.of(reports, LoadReport::p99Micros),
                Series.of(rounds, Round::cpuMicros),
                Series.of(reports, LoadReport::serverCpuShare),
                Series.of(reports, LoadReport::clientCpuShare),
                2 * rounds.stream().filter(Round::clientBound).count() > rounds.size());
    }
}
