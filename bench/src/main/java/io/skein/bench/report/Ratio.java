package io.skein.bench.report;

/**
 * Skein over a rival, round by round: the medians of that. A difference that is smaller than what the rounds differ by is none.
 *
 * @param throughput operations per second, higher is better
 * @param cpu server CPU per operation, lower is better
 * @param p99 latency, lower is better
 * @param paced whether a rate was given, so that throughput says nothing
 */
public record Ratio(
        String rival,
        double throughput,
        double throughputSpread,
        double cpu,
        double cpuSpread,
        double p99,
        boolean paced) {
    static Ratio of(Figures skein, Figures rival, boolean paced) {
        Series throughput = skein.requestsPerSecond().over(rival.requestsPerSecond());
        Series cpu = skein.serverCpuMicros().over(rival.serverCpuMicros());
        return new Ratio(
                rival.server(),
                throughput.median(),
                throughput.spread(),
                cpu.median(),
                cpu.spread(),
                skein.p99Micros().over(rival.p99Micros()).median(),
                paced);
    }

    /** Whether Skein serves fewer operations than this rival, or pays more for each. */
    boolean behind() {
        return behindInThroughput() || behindInCpu();
    }

    boolean behindInThroughput() {
        return throughput < 1 && throughputDiffers();
    }

    boolean behindInCpu() {
        return cpu > 1 && cpuDiffers();
    }

    /** Whether neither figure differs by more than its spread. */
    boolean same() {
        return !throughputDiffers() && !cpuDiffers();
    }

    private boolean throughputDiffers() {
        return !paced && Series.isDifference(throughput, throughputSpread);
    }

    private boolean cpuDiffers() {
        return Series.isDifference(cpu, cpuSpread);
    }
}
