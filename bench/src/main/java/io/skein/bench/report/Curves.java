package io.skein.bench.report;

import io.skein.bench.load.Scenario;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** How the cost of servers under load grows: charts of scenarios that differ in one thing only. */
final class Curves {
    private static final Axis CONNECTIONS = new Axis(
            "connections",
            Scenario::connections,
            scenario -> Integer.toString(scenario.connections()),
            scenario -> scenario.withConnections(0),
            scenario -> scenario.what() + (scenario.workers() > 1 ? ", " + scenario.workersText() : ""));
    private static final Axis SIZE = new Axis(
            "size",
            Scenario::size,
            Scenario::sizeText,
            scenario -> scenario.withSize(0),
            scenario -> scenario.what().replace(" of " + scenario.sizeText(), "") + ", " + scenario.connectionsText());
    private static final Axis WORKERS = new Axis(
            "workers",
            Scenario::workers,
            scenario -> Integer.toString(scenario.workers()),
            scenario -> scenario.withWorkers(0),
            scenario -> scenario.what() + ", " + scenario.connectionsText());

    private Curves() {}

    /**
     * What is varied.
     *
     * @param place where a scenario stands on the axis
     * @param point what is written there
     * @param rest what scenarios of one chart have in common
     * @param title of such a chart
     */
    private record Axis(
            String name,
            ToIntFunction<Scenario> place,
            Function<Scenario, String> point,
            Function<Scenario, Scenario> rest,
            Function<Scenario, String> title) {
        /** Those that belong together, each in the order of the axis. */
        List<List<Comparison>> groups(List<Comparison> comparisons) {
            Map<Scenario, List<Comparison>> alike = comparisons.stream()
                    .filter(comparison -> !comparison.scenario().paced())
                    .sorted(Comparator.comparingInt(comparison -> place.applyAsInt(comparison.scenario())))
                    .collect(Collectors.groupingBy(
                            comparison -> rest.apply(comparison.scenario()), LinkedHashMap::new, Collectors.toList()));
            return alike.values().stream().filter(group -> group.size() > 1).toList();
        }

        Chart chart(String what, String unit, List<Comparison> group, ToDoubleFunction<Figures> figure) {
            List<Chart.Line> lines = group.stream()
                    .flatMap(comparison -> comparison.servers().stream())
                    .map(Figures::server)
                    .distinct()
                    .map(server -> new Chart.Line(
                            server,
                            group.stream()
                                    .map(comparison -> value(comparison, server, figure))
                                    .toList()))
                    .toList();
            return new Chart(
                    what + " of " + title.apply(group.getFirst().scenario()),
                    group.stream()
                            .map(comparison -> point.apply(comparison.scenario()))
                            .toList(),
                    unit + ", by " + name,
                    lines);
        }
    }

    static List<Chart> of(List<Comparison> comparisons) {
        List<Chart> charts = new ArrayList<>();
        for (Axis axis : List.of(CONNECTIONS, SIZE, WORKERS)) {
            for (List<Comparison> group : axis.groups(comparisons)) {
                String operation = group.getFirst().scenario().traffic().operation();
                if (axis == WORKERS) {
                    charts.add(axis.chart(
                            "Throughput",
                            operation + "/s",
                            group,
                            figures -> figures.requestsPerSecond().median()));
                }
                charts.add(axis.chart(
                        "CPU",
                        "µs/" + operation,
                        group,
                        figures -> figures.serverCpuMicros().median()));
            }
        }
        return charts;
    }

    private static double value(Comparison comparison, String server, ToDoubleFunction<Figures> figure) {
        return comparison.servers().stream()
                .filter(figures -> figures.server().equals(server))
                .mapToDouble(figure)
                .findFirst()
                .orElse(Double.NaN);
    }
}
