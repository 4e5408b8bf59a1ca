package io.skein.bench.report;

/**
 * Skein's medians over a rival's.
 *
 * @param throughput requests per second, higher is better
 * @param cpu server CPU per request, lower is better
 * @param p99 latency, lower is better
 */
public record Ratio(String rival, double throughput, double cpu, double p99) {
    static Ratio of(Figures skein, Figures rival) {
        return new Ratio(
                rival.server(),
                skein.requestsPerSecond().median() / rival.requestsPerSecond().median(),
                skein.serverCpuMicros().median() / rival.serverCpuMicros().median(),
                skein.p99Micros().median() / rival.p99Micros().median());
    }

    /** Whether Skein serves fewer requests than this rival, or pays more for each. */
    boolean behind() {
        return throughput < 1 || cpu > 1;
    }
}
