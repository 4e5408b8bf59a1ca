package io.skein.bench.load;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Predicate;

/** For tests: drives a load, longer each time, until it has shown enough. On a busy machine a short one shows nothing. */
final class LongEnough {
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private LongEnough() {}

    /** Returns the first report of which enough holds, or the last one. */
    static LoadReport run(LoadGenerator generator, LoadOrder order, Predicate<LoadReport> enough) throws IOException {
        Duration window = order.window();
        while (true) {
            LoadReport report = generator.run(
                    new LoadOrder(order.port(), order.serverPid(), order.scenario(), order.ramp(), window));
            window = window.multipliedBy(2);
            if (enough.test(report) || window.compareTo(LONGEST) > 0) {
                return report;
            }
        }
    }
}
