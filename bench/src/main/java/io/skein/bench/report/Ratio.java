package io.skein.bench.report;

/**
 * Skein over a rival, round by round: the medians of that. A difference that the rounds do not agree on is none.
 *
 * @param throughput operations per second, higher is better
 * @param throughputDiffers whether that is a difference; no where a rate was given
 * @param cpu server CPU per operation, lower is better
 * @param cpuDiffers whether that is a difference
 * @param p99 latency, lower is better
 * @param paced whether a rate was given, so that throughput says nothing
 */
public record Ratio(
        String rival,
        double throughput,
        boolean throughputDiffers,
        double cpu,
        boolean cpuDiffers,
        double p99,
        boolean paced) {
    static Ratio of(Figures skein, Figures rival, boolean paced, Precision precision) {
        Series throughput = skein.requestsPerSecond().over(rival.requestsPerSecond());
        Series cpu = skein.serverCpuMicros().over(rival.serverCpuMicros());
        return new Ratio(
                rival.server(),
                throughput.median(),
                !paced && throughput.isDifference(precision),
                cpu.median(),
                cpu.isDifference(precision),
                skein.p99Micros().over(rival.p99Micros()).median(),
                paced);
    }

    /** Whether Skein serves fewer operations than this rival, or pays more for each. */
    boolean behind() {
        return behindInThroughput() || behindInCpu();
    }

    boolean behindInThroughput() {
        return throughput < 1 && throughputDiffers;
    }

    boolean behindInCpu() {
        return cpu > 1 && cpuDiffers;
    }

    /** Whether neither figure is a difference. */
    boolean same() {
        return !throughputDiffers && !cpuDiffers;
    }
}
