package io.skein.bench.load;

import java.time.Duration;
import java.util.List;

/**
 * One run that the harness asks of the load generator, as it travels over a pipe in one line.
 *
 * @param port the server's port on the loopback address
 * @param serverPid whose CPU time is charged to the requests
 * @param connections open connections, each with one request under way
 * @param size bytes of a request and of its reply
 * @param ramp time under load before anything counts
 * @param window time that counts
 */
public record LoadOrder(int port, long serverPid, int connections, int size, Duration ramp, Duration window) {
    public String toLine() {
        return Words.join(port, serverPid, connections, size, ramp.toNanos(), window.toNanos());
    }

    public static LoadOrder parse(String line) {
        List<Long> words = Words.longs(line, 6);
        return new LoadOrder(
                Math.toIntExact(words.get(0)),
                words.get(1),
                Math.toIntExact(words.get(2)),
                Math.toIntExact(words.get(3)),
                Duration.ofNanos(words.get(4)),
                Duration.ofNanos(words.get(5)));
    }
}
