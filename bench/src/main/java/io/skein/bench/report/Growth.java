package io.skein.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a cost grows with the number of those who cause it: charts of cases that differ in that number only. */
public final class Growth {
    /** Such as {@code parked-100k}. */
    private static final Pattern COUNTED = Pattern.compile("(.+)-(\\d+)([kM])");

    private static final int THOUSAND = 1000;

    private Growth() {}

    /** A chart for each kind of case of which there is more than one number. */
    public static List<Chart> charts(Findings findings) {
        Map<String, Map<Integer, Map<String, Double>>> kinds = new LinkedHashMap<>();
        Map<String, String> units = new LinkedHashMap<>();
        findings.samples().forEach((key, samples) -> {
            Matcher name = COUNTED.matcher(key.subject());
            if (name.matches()) {
                int thousands = Integer.parseInt(name.group(2)) * (name.group(3).equals("M") ? THOUSAND : 1);
                kinds.computeIfAbsent(name.group(1), kind -> new TreeMap<>())
                        .computeIfAbsent(thousands, count -> new LinkedHashMap<>())
                        .put(key.contender(), Series.of(samples, Sample::cost).median());
                units.put(name.group(1), samples.getFirst().unit());
            }
        });
        List<Chart> charts = new ArrayList<>();
        kinds.forEach((kind, counts) -> {
            if (counts.size() > 1) {
                charts.add(chart(kind, units.getOrDefault(kind, ""), counts));
            }
        });
        return charts;
    }

    private static Chart chart(String kind, String unit, Map<Integer, Map<String, Double>> counts) {
        List<Chart.Line> lines = counts.values().stream()
                .flatMap(costs -> costs.keySet().stream())
                .distinct()
                .map(contender -> new Chart.Line(
                        contender,
                        counts.values().stream()
                                .map(costs -> costs.getOrDefault(contender, Double.NaN))
                                .toList()))
                .toList();
        List<String> points =
                counts.keySet().stream().map(thousands -> thousands + "k").toList();
        return new Chart(kind, points, unit + " each, by their number", lines);
    }
}
