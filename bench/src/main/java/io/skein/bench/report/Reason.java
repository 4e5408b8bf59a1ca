package io.skein.bench.report;

import io.skein.bench.load.Scenario;
import io.skein.bench.load.Traffic;

/** Why Skein is probably behind in a scenario: what its design suggests, not what a profile has shown. */
final class Reason {
    private static final int LARGE = 16_384;
    private static final int MANY = 1000;

    private Reason() {}

    static String of(Scenario scenario) {
        if (scenario.traffic() != Traffic.PING_PONG) {
            return "not found out";
        }
        if (scenario.size() >= LARGE) {
            return "large messages leave the cache between the receives of a turn and its sends";
        }
        return scenario.connections() >= MANY
                ? "the stacks and objects of so many coroutines leave the cache between requests"
                : "a virtual thread's switch, which an event loop does without";
    }
}
