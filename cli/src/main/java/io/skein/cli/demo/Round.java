package io.skein.cli.demo;

/**
 * What one round measured.
 *
 * @param requests answered requests
 * @param nanos wall-clock time of the round
 * @param cpuNanos CPU time of the whole process in that time, server and clients together
 * @param p50Nanos median latency
 * @param p99Nanos latency that 99 of 100 requests did not exceed
 */
record Round(long requests, long nanos, long cpuNanos, long p50Nanos, long p99Nanos) {

    double requestsPerSecond() {
        return requests * 1e9 / nanos;
    }

    double cpuMicrosPerRequest() {
        return cpuNanos / 1e3 / requests;
    }

    double p50Micros() {
        return p50Nanos / 1e3;
    }

    double p99Micros() {
        return p99Nanos / 1e3;
    }
}
