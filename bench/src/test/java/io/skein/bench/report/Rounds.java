package io.skein.bench.report;

import io.skein.bench.load.LoadReport;
import io.skein.bench.load.Scenario;
import io.skein.bench.load.Traffic;

/** Rounds for tests: one second long, as many requests and as much CPU as asked for. */
final class Rounds {
    private static final long SECOND = 1_000_000_000L;

    private Rounds() {}

    static Round of(String server, int connections, int number, long requests, double cpuMicros) {
        return of(server, connections, number, requests, cpuMicros, 0.5);
    }

    static Round of(String server, int connections, int number, long requests, double cpuMicros, double clientShare) {
        LoadReport report = new LoadReport(
                requests,
                SECOND,
                50_000,
                80_000,
                100_000,
                150_000,
                200_000,
                Math.round(requests * cpuMicros * 1000),
                Math.round(clientShare * SECOND));
        return new Round(server, Scenario.closedLoop(Traffic.PING_PONG, connections, 1024), number, report, 0, false);
    }

    /** The same round, by so many workers. */
    static Round by(int workers, Round round, boolean shared) {
        Scenario scenario = round.scenario().withWorkers(workers);
        return new Round(round.server(), scenario, round.number(), round.report(), 0, shared);
    }
}
