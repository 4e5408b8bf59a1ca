package io.skein.bench;

import io.skein.bench.report.Precision;
import java.time.Duration;

/**
 * What is to run of a suite of small benchmarks.
 *
 * @param rounds how often each contender runs, each time in a JVM of its own
 * @param window how long a round counts
 * @param warmup how long a JVM runs before its window
 * @param repeats how often a JVM that was disturbed is run again; whatever comes last counts
 * @param precision what that is enough to tell
 */
record MicroPlan(MicroSuite suite, int rounds, Duration window, Duration warmup, int repeats, Precision precision) {
    /** What a JVM takes beside its warm-up and window. */
    private static final Duration START = Duration.ofMillis(950);

    /** What a counted case takes instead of warm-up and window. */
    private static final Duration COUNT = Duration.ofSeconds(2);

    /** About how long it all takes. */
    Duration estimate() {
        Duration sum = Duration.ZERO;
        for (MicroCase each : suite.cases()) {
            Duration one = START.plus(each.counter().isPresent() ? COUNT : warmup.plus(window));
            sum = sum.plus(one.multipliedBy(each.contenders().size()));
        }
        return sum.multipliedBy(rounds);
    }
}
