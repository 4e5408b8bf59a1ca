package io.skein.bench.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.skein.bench.load.Scenario;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All servers in one scenario. The first of them is Skein, unless it did not run. */
public record Comparison(Scenario scenario, List<Figures> servers, Precision precision) {
    private static final String SKEIN = "skein";

    /**
     * Sorts rounds into one comparison for each scenario, in order of appearance.
     *
     * @param servers the order of the servers in each comparison
     */
    public static List<Comparison> of(List<String> servers, List<Round> rounds, Precision precision) {
        Map<Scenario, List<Round>> byScenario =
                rounds.stream().collect(groupingBy(Round::scenario, LinkedHashMap::new, toList()));
        return byScenario.entrySet().stream()
                .map(entry -> new Comparison(entry.getKey(), figures(servers, entry.getValue()), precision))
                .toList();
    }

    private static List<Figures> figures(List<String> servers, List<Round> rounds) {
        Map<String, List<Round>> byServer = rounds.stream().collect(groupingBy(Round::server));
        return servers.stream()
                .filter(byServer::containsKey)
                .map(server -> Figures.of(server, byServer.getOrDefault(server, List.of())))
                .toList();
    }

    /** Skein over each rival; where Skein is behind comes first, and the worst of that before the rest. */
    public List<Ratio> ratios() {
        Optional<Figures> skein = servers.stream()
                .filter(figures -> figures.server().equals(SKEIN))
                .findFirst();
        return skein.stream()
                .flatMap(own -> servers.stream()
                        .filter(figures -> !figures.server().equals(SKEIN))
                        .map(rival -> Ratio.of(own, rival, scenario.paced(), precision)))
                .sorted(Comparator.comparing(Ratio::behind).reversed().thenComparingDouble(Ratio::throughput))
                .toList();
    }
}
