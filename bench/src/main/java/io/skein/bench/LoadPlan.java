package io.skein.bench;

import io.skein.bench.load.Scenario;
import io.skein.bench.load.Traffic;
import io.skein.bench.report.Precision;
import io.skein.bench.server.Contender;
import io.skein.bench.server.Service;
import io.skein.bench.server.Setting;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a suite of servers under load is to run.
 *
 * @param suite its name
 * @param effort how often and how long
 * @param precision what that is enough to tell
 * @param contenders who takes part, in the order of the table
 */
record LoadPlan(
        String suite, List<Scenario> scenarios, Effort effort, Precision precision, List<Contender> contenders) {
    private static final int SMALLEST_BUFFER = 4096;

    /** What a server takes to start. */
    private static final Duration START = Duration.ofMillis(900);

    /** What a connection takes to be opened. */
    private static final Duration CONNECT = Duration.ofNanos(60_000);

    /** What is measured by programs of others is measured for whole seconds. */
    private static final Duration WHOLE = Duration.ofSeconds(1);

    /**
     * So often connections are opened to a server that was just started, each time for a while. What serves a connection is a loop,
     * and the compiler makes no code for the loops that run already, or only much later: those who come next find it.
     */
    static final int START_BATCHES = 6;

    /** How many connections each time, at least. */
    private static final int START_CONNECTIONS = 100;

    LoadPlan {
        scenarios = List.copyOf(scenarios);
        contenders = List.copyOf(contenders);
    }

    /**
     * How much is measured.
     *
     * @param rounds how often each server is driven in each scenario
     * @param window how long a round counts
     * @param start how long each of the {@link #START_BATCHES} takes: a server's code is compiled on the core that it serves on
     * @param warmup how long each server is driven before its first round of a scenario
     * @param ramp how long a server is under load at the start of each round before it counts: connections settle, caches fill
     * @param repeats how often a round is driven again in which others took our cores; whatever comes last counts
     */
    record Effort(int rounds, Duration window, Duration start, Duration warmup, Duration ramp, int repeats) {}

    /** What servers are started with, and the scenarios for which they stay up. */
    Map<Setting, List<Scenario>> settings() {
        return scenarios.stream()
                .collect(Collectors.groupingBy(LoadPlan::setting, LinkedHashMap::new, Collectors.toList()));
    }

    private static Setting setting(Scenario scenario) {
        return new Setting(
                service(scenario.traffic()), bufferSize(scenario), scenario.workers(), scenario.workMicros());
    }

    private static Service service(Traffic traffic) {
        return switch (traffic) {
            case PING_PONG, CHURN -> Service.ECHO;
            case STREAM -> Service.SOURCE;
            case DATAGRAMS -> Service.DATAGRAMS;
            case TLS -> Service.TLS_ECHO;
            case HTTP -> Service.HTTP;
            case HTTP_SERVER -> Service.HTTP_SERVER;
            case HELIDON -> Service.HELIDON;
            case JETTY -> Service.JETTY;
            case TOMCAT -> Service.TOMCAT;
            case SPRING_BOOT -> Service.SPRING_BOOT;
            case GRPC -> Service.GRPC;
            case JEDIS -> Service.JEDIS;
            case HIKARI -> Service.HIKARI;
        };
    }

    /**
     * Bytes of every server's connection buffer: more than a request, so that a server which takes a full buffer for
     * a sign of more to come is not made to read twice. A stream is written buffer by buffer.
     */
    static int bufferSize(Scenario scenario) {
        return scenario.traffic() == Traffic.STREAM ? scenario.size() : Math.max(SMALLEST_BUFFER, 2 * scenario.size());
    }

    /** What a server that was just started is warmed up with, given what it is to be measured with first. */
    static Scenario start(Scenario first) {
        return switch (first.traffic()) {
            case PING_PONG, TLS -> first.withConnections(Math.max(START_CONNECTIONS, first.connections()));
            default -> first;
        };
    }

    /** About how long it all takes. */
    Duration estimate() {
        Duration oneServer = Duration.ZERO;
        for (List<Scenario> ofOneStart : settings().values()) {
            Duration batch = run(start(ofOneStart.getFirst()), effort.start());
            oneServer = oneServer.plus(START).plus(batch.multipliedBy(START_BATCHES));
            for (Scenario scenario : ofOneStart) {
                oneServer = oneServer
                        .plus(run(scenario, effort.warmup()))
                        .plus(run(scenario, effort.window()).multipliedBy(effort.rounds()));
            }
        }
        return oneServer.multipliedBy(contenders.size());
    }

    private Duration run(Scenario scenario, Duration window) {
        if (scenario.traffic().inWholeSeconds()) {
            return window.compareTo(WHOLE) < 0 ? WHOLE : window;
        }
        return window.plus(effort.ramp()).plus(CONNECT.multipliedBy(scenario.connections()));
    }
}
