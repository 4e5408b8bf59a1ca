package io.skein.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** A picture of a {@link Chart}: values on a logarithmic scale, a colour for each contender. */
final class LineChart {
    private static final int LEFT = 70;
    private static final int WIDTH = 520;
    private static final int RIGHT = 150;
    private static final int TOP = 14;
    private static final int HEIGHT = 220;
    private static final int BOTTOM = 26;
    private static final List<String> COLOURS =
            List.of("#c2410c", "#2563eb", "#0d9488", "#7c3aed", "#65a30d", "#db2777", "#6b7280", "#a16207");

    private final Chart chart;
    private final double low;
    private final double high;

    private LineChart(Chart chart) {
        this.chart = chart;
        double[] values = chart.lines().stream()
                .flatMapToDouble(line -> line.values().stream().mapToDouble(Double::doubleValue))
                .filter(value -> value > 0)
                .toArray();
        low = DoubleStream.of(values).min().orElse(1) / 1.1;
        high = DoubleStream.of(values).max().orElse(10) * 1.1;
    }

    static String svg(Chart chart) {
        return new LineChart(chart).draw();
    }

    private String draw() {
        StringBuilder svg = new StringBuilder();
        svg.append("<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\">%n"
                .formatted(LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM));
        for (double tick : ticks()) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text class=\"label\" x=\"%d\" y=\"%.1f\">%s</text>%n",
                    LEFT,
                    LEFT + WIDTH,
                    y(tick),
                    y(tick),
                    LEFT - 6,
                    y(tick) + 4,
                    text(tick)));
        }
        for (int i = 0; i < chart.points().size(); i++) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<text class=\"tick\" x=\"%.1f\" y=\"%d\">%s</text>%n",
                    x(i),
                    TOP + HEIGHT + 18,
                    Html.escape(chart.points().get(i))));
        }
        for (int i = 0; i < chart.lines().size(); i++) {
            line(svg, chart.lines().get(i), COLOURS.get(i % COLOURS.size()), TOP + 10 + 16 * i);
        }
        return svg.append("</svg>\n").toString();
    }

    private void line(StringBuilder svg, Chart.Line line, String colour, int legend) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < line.values().size(); i++) {
            double value = line.values().get(i);
            if (value > 0) {
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(i), y(value)));
                svg.append(String.format(
                        Locale.ROOT,
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s: %s</title></circle>%n",
                        x(i),
                        y(value),
                        colour,
                        Html.escape(line.contender()),
                        text(value)));
            }
        }
        svg.append("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"%s\"/>%n"
                .formatted(colour, points.toString().strip()));
        svg.append("<text x=\"%d\" y=\"%d\" style=\"fill:%s\">%s</text>%n"
                .formatted(LEFT + WIDTH + 12, legend, colour, Html.escape(line.contender())));
    }

    /** One, two and five times the powers of ten that fit; fewer where that would be many. */
    private List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        boolean wide = high / low > 200;
        for (double power = Math.pow(10, Math.floor(Math.log10(low))); power <= high; power *= 10) {
            for (double step : wide ? new double[] {1} : new double[] {1, 2, 5}) {
                if (step * power >= low && step * power <= high) {
                    ticks.add(step * power);
                }
            }
        }
        return ticks;
    }

    private double x(int point) {
        int gaps = Math.max(1, chart.points().size() - 1);
        return LEFT + 12 + (WIDTH - 24.0) * point / gaps;
    }

    private double y(double value) {
        return TOP + HEIGHT * (1 - Math.log(value / low) / Math.log(high / low));
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%,.0f", value);
    }
}
