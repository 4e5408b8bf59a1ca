package io.skein.bench;

import io.skein.bench.load.Scenario;
import io.skein.bench.load.Traffic;
import io.skein.bench.server.Contender;
import io.skein.bench.server.Service;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a suite of servers under load is to run.
 *
 * @param suite its name
 * @param rounds how often each server is driven in each scenario
 * @param window how long a round counts
 * @param warmup how long each server is driven before its first round of each scenario
 * @param repeats how often a round is driven again in which others took our cores; whatever comes last counts
 * @param contenders who takes part, in the order of the table
 */
record LoadPlan(
        String suite,
        List<Scenario> scenarios,
        int rounds,
        Duration window,
        Duration warmup,
        int repeats,
        List<Contender> contenders) {
    private static final int SMALLEST_BUFFER = 4096;

    /** Under load but not counted at the start of each round: connections settle, caches fill. */
    static final Duration RAMP = Duration.ofMillis(300);

    LoadPlan {
        scenarios = List.copyOf(scenarios);
        contenders = List.copyOf(contenders);
    }

    /** What servers are started with, and for which scenarios they stay up. */
    record Setting(Service service, int bufferSize) {
        static Setting of(Scenario scenario) {
            return new Setting(service(scenario.traffic()), LoadPlan.bufferSize(scenario));
        }

        private static Service service(Traffic traffic) {
            return switch (traffic) {
                case PING_PONG, CHURN -> Service.ECHO;
                case STREAM -> Service.SOURCE;
                case DATAGRAMS -> Service.DATAGRAMS;
                case TLS -> Service.TLS_ECHO;
            };
        }
    }

    Map<Setting, List<Scenario>> settings() {
        return scenarios.stream().collect(Collectors.groupingBy(Setting::of, LinkedHashMap::new, Collectors.toList()));
    }

    /**
     * Bytes of every server's connection buffer: more than a request, so that a server which takes a full buffer for
     * a sign of more to come is not made to read twice. A stream is written buffer by buffer.
     */
    static int bufferSize(Scenario scenario) {
        return scenario.traffic() == Traffic.STREAM ? scenario.size() : Math.max(SMALLEST_BUFFER, 2 * scenario.size());
    }

    /** About how long it all takes. */
    Duration estimate() {
        Duration oneServer = warmup.plus(RAMP).plus(window.plus(RAMP).multipliedBy(rounds));
        return oneServer.multipliedBy((long) contenders.size() * scenarios.size());
    }
}
