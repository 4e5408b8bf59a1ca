package io.skein.cli.demo;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** The medians of one contender's rounds, each figure on its own. */
record Score(double requestsPerSecond, double p50Micros, double p99Micros, double cpuMicrosPerRequest) {

    /** The score of at least one round. */
    static Score of(List<Round> rounds) {
        return new Score(
                median(rounds, Round::requestsPerSecond),
                median(rounds, Round::p50Micros),
                median(rounds, Round::p99Micros),
                median(rounds, Round::cpuMicrosPerRequest));
    }

    private static double median(List<Round> rounds, ToDoubleFunction<Round> figure) {
        double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
