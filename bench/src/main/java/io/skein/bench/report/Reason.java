package io.skein.bench.report;

import io.skein.bench.load.Scenario;

/** Why Skein is probably behind in a scenario: what its design suggests, not what a profile has shown. */
final class Reason {
    private static final int LARGE = 16_384;
    private static final int MANY = 1000;

    private Reason() {}

    static String of(Scenario scenario) {
        return switch (scenario.traffic()) {
            case PING_PONG -> {
                if (scenario.size() >= LARGE) {
                    yield "large messages leave the cache between the receives of a turn and its sends";
                }
                yield scenario.connections() >= MANY
                        ? "the stacks and objects of so many coroutines leave the cache between requests"
                        : "a virtual thread's switch, which an event loop does without";
            }
            case STREAM ->
                scenario.connections() == 1
                        ? "a write is a request to the ring and a switch, and there is nobody to share the system call with"
                        : "not found out";
            default -> "not found out";
        };
    }
}
