package io.skein.bench.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.skein.bench.load.LoadReport;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All servers at one number of connections. The first of them is Skein, unless it did not run. */
public record Comparison(int connections, List<Figures> servers) {
    private static final String SKEIN = "skein";

    /**
     * Sorts rounds into one comparison for each number of connections, in order of appearance.
     *
     * @param servers the order of the servers in each comparison
     */
    public static List<Comparison> of(List<String> servers, List<Round> rounds) {
        Map<Integer, List<Round>> byConnections =
                rounds.stream().collect(groupingBy(Round::connections, LinkedHashMap::new, toList()));
        return byConnections.entrySet().stream()
                .map(entry -> new Comparison(entry.getKey(), figures(servers, entry.getValue())))
                .toList();
    }

    private static List<Figures> figures(List<String> servers, List<Round> rounds) {
        Map<String, List<LoadReport>> byServer =
                rounds.stream().collect(groupingBy(Round::server, mapping(Round::report, toList())));
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
                        .map(rival -> Ratio.of(own, rival)))
                .sorted(Comparator.comparing(Ratio::behind).reversed().thenComparingDouble(Ratio::throughput))
                .toList();
    }
}
