package io.skein.bench.report;

import java.util.List;
import java.util.stream.IntStream;

/** Samples for tests: one case, undisturbed, a round for each cost. */
final class Samples {
    static final String SUBJECT = "spawn";

    private Samples() {}

    static List<Sample> of(String contender, double... costs) {
        return IntStream.range(0, costs.length)
                .mapToObj(i -> new Sample(SUBJECT, contender, i + 1, costs[i], "ns", 0, false))
                .toList();
    }
}
