package io.skein.bench;

import io.skein.bench.server.Contender;
import java.time.Duration;
import java.util.List;

/**
 * What the echo suite is to run.
 *
 * @param connections the numbers of connections, each measured
 * @param size bytes of a request and of its reply
 * @param rounds how often each server is driven at each number of connections
 * @param window how long a round counts
 * @param warmup how long each server is driven before its first round at each number of connections
 * @param contenders who takes part, in the order of the table
 */
record EchoPlan(
        List<Integer> connections, int size, int rounds, Duration window, Duration warmup, List<Contender> contenders) {
    private static final int SMALLEST_BUFFER = 4096;

    /** Under load but not counted at the start of each round: connections settle, caches fill. */
    static final Duration RAMP = Duration.ofMillis(300);

    /**
     * Bytes of every server's connection buffer: more than a request, so that a server which takes a full buffer for
     * a sign of more to come is not made to read twice.
     */
    int bufferSize() {
        return Math.max(SMALLEST_BUFFER, 2 * size);
    }

    /** About how long it all takes. */
    Duration estimate() {
        Duration oneServer = warmup.plus(RAMP).plus(window.plus(RAMP).multipliedBy(rounds));
        return oneServer.multipliedBy((long) contenders.size() * connections.size());
    }
}
