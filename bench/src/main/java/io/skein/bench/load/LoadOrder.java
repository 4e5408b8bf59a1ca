package io.skein.bench.load;

import java.time.Duration;
import java.util.List;

/**
 * One run that the harness asks of the load generator, as it travels over a pipe in one line.
 *
 * @param port the server's port on the loopback address
 * @param serverPid whose CPU time is charged to the requests
 * @param ramp time under load before anything counts
 * @param window time that counts
 */
public record LoadOrder(int port, long serverPid, Scenario scenario, Duration ramp, Duration window) {
    public int connections() {
        return scenario.connections();
    }

    public int size() {
        return scenario.size();
    }

    public String toLine() {
        return scenario.traffic() + " "
                + Words.join(
                        port,
                        serverPid,
                        connections(),
                        size(),
                        scenario.rate(),
                        scenario.workers(),
                        scenario.workMicros(),
                        ramp.toNanos(),
                        window.toNanos());
    }

    public static LoadOrder parse(String line) {
        int blank = line.indexOf(' ');
        List<Long> words = Words.longs(line.substring(blank + 1), 9);
        Scenario scenario = new Scenario(
                Traffic.valueOf(line.substring(0, blank)),
                Math.toIntExact(words.get(2)),
                Math.toIntExact(words.get(3)),
                Math.toIntExact(words.get(4)),
                Math.toIntExact(words.get(5)),
                Math.toIntExact(words.get(6)));
        return new LoadOrder(
                Math.toIntExact(words.get(0)),
                words.get(1),
                scenario,
                Duration.ofNanos(words.get(7)),
                Duration.ofNanos(words.get(8)));
    }
}
