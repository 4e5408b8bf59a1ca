package io.skein.bench.load;

import java.util.List;

/**
 * What one run measured, as it travels over a pipe in one line. All times are nanoseconds. Latencies are from sending a
 * request, or from when it was due if there is a rate, to having its whole reply; all 0 for a stream.
 *
 * @param requests replies that arrived whole within the window, or bytes of a stream
 * @param wall length of the window
 * @param p50 median latency
 * @param worst the longest latency
 * @param serverCpu CPU time of the server's process within the window
 * @param clientCpu CPU time of the load generator's process within the window
 */
public record LoadReport(
        long requests, long wall, long p50, long p90, long p99, long p999, long worst, long serverCpu, long clientCpu) {
    public double requestsPerSecond() {
        return requests * 1e9 / wall;
    }

    public double p50Micros() {
        return p50 / 1e3;
    }

    public double p99Micros() {
        return p99 / 1e3;
    }

    public double serverCpuMicros() {
        return serverCpu / 1e3 / Math.max(1, requests);
    }

    /** How much of one core the server used, 1.0 being all of it. */
    public double serverCpuShare() {
        return (double) serverCpu / wall;
    }

    /** How much of one core the load generator used, 1.0 being all of it. */
    public double clientCpuShare() {
        return (double) clientCpu / wall;
    }

    /** The same with CPU times, which whoever measured the rest did not know. */
    LoadReport withCpu(long server, long client) {
        return new LoadReport(requests, wall, p50, p90, p99, p999, worst, server, client);
    }

    public String toLine() {
        return Words.join(requests, wall, p50, p90, p99, p999, worst, serverCpu, clientCpu);
    }

    public static LoadReport parse(String line) {
        List<Long> words = Words.longs(line, 9);
        return new LoadReport(
                words.get(0),
                words.get(1),
                words.get(2),
                words.get(3),
                words.get(4),
                words.get(5),
                words.get(6),
                words.get(7),
                words.get(8));
    }
}
