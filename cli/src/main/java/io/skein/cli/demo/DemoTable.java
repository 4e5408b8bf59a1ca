package io.skein.cli.demo;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The result of the demo as text: two columns of figures and their ratio. */
final class DemoTable {

    private final Contender ours;
    private final Score ourScore;
    private final Contender theirs;
    private final Score theirScore;

    DemoTable(Contender ours, Score ourScore, Contender theirs, Score theirScore) {
        this.ours = ours;
        this.ourScore = ourScore;
        this.theirs = theirs;
        this.theirScore = theirScore;
    }

    @Override
    public String toString() {
        return Stream.of(
                        row("", ours.name(), theirs.name(), "ratio"),
                        figures("requests/s", "%,.0f", ourScore.requestsPerSecond(), theirScore.requestsPerSecond()),
                        figures("latency p50", "%,.0f µs", ourScore.p50Micros(), theirScore.p50Micros()),
                        figures("latency p99", "%,.0f µs", ourScore.p99Micros(), theirScore.p99Micros()),
                        figures(
                                "CPU per request",
                                "%.1f µs",
                                ourScore.cpuMicrosPerRequest(),
                                theirScore.cpuMicrosPerRequest()),
                        row("workers", Integer.toString(ours.workers()), Integer.toString(theirs.workers()), ""),
                        row("driver", ours.driver(), theirs.driver(), ""))
                .collect(Collectors.joining(System.lineSeparator()));
    }

    private static String figures(String label, String format, double our, double their) {
        return row(label, text(format, our), text(format, their), text("%.2f", our / their));
    }

    private static String row(String label, String our, String their, String ratio) {
        return String.format(Locale.ROOT, "%-16s %12s %21s %9s", label, our, their, ratio)
                .stripTrailing();
    }

    private static String text(String format, double figure) {
        return Double.isFinite(figure) ? String.format(Locale.ROOT, format, figure) : "-";
    }
}
