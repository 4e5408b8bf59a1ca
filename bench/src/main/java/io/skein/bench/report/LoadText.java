package io.skein.bench.report;

import io.skein.bench.load.Scenario;
import java.util.List;
import java.util.Locale;

/** The comparison as people read it in a terminal. */
public final class LoadText {
    /** From here on nobody reads decimals. */
    private static final double MANY = 1000;

    private static final String CLIENT_BOUND = String.format(
            Locale.ROOT,
            "* the load generator used more than %.0f %% of its core, or of a core that it shares with the server more"
                    + " than %.0f %%: this server may have more to give%n",
            100 * Round.CLIENT_LIMIT,
            100 * Round.TOLERABLE);

    private LoadText() {}

    public static String render(Comparison comparison) {
        StringBuilder text = new StringBuilder();
        String operation = comparison.scenario().traffic().operation();
        text.append(comparison.scenario().title()).append('\n');
        text.append(figures(comparison.servers(), operation));
        if (comparison.servers().stream().anyMatch(Figures::clientBound)) {
            text.append(CLIENT_BOUND);
        }
        List<Ratio> ratios = comparison.ratios();
        if (!ratios.isEmpty()) {
            text.append('\n').append(ratios(ratios, operation));
        }
        text.append(reason(comparison.scenario(), ratios));
        return text.toString();
    }

    /** Every row in which Skein is not ahead of all says why that may be. */
    private static String reason(Scenario scenario, List<Ratio> ratios) {
        String where;
        if (ratios.stream().anyMatch(Ratio::behind)) {
            where = "behind";
        } else if (ratios.stream().anyMatch(ratio -> ratio.cpu() > 1)) {
            where = "not ahead";
        } else {
            return "";
        }
        return where + ", probably because: " + Reason.of(scenario) + "\n";
    }

    private static String figures(List<Figures> servers, String operation) {
        Table table = new Table(
                "server",
                operation + "/s",
                "spread",
                "p50 µs",
                "p99 µs",
                "CPU µs/" + operation,
                "spread",
                "client CPU");
        for (Figures figures : servers) {
            table.row(
                    figures.server(),
                    number(figures.requestsPerSecond().median()),
                    percent(figures.requestsPerSecond().spread()),
                    tenths(figures.p50Micros().median()),
                    tenths(figures.p99Micros().median()),
                    number(figures.serverCpuMicros().median()),
                    percent(figures.serverCpuMicros().spread()),
                    (figures.clientBound() ? "* " : "")
                            + percent(figures.clientCpuShare().median()));
        }
        return table.render();
    }

    private static String ratios(List<Ratio> ratios, String operation) {
        Table table = new Table("skein over", operation + "/s", "CPU/" + operation, "p99", "");
        for (Ratio ratio : ratios) {
            table.row(
                    ratio.rival(),
                    hundredths(ratio.throughput()),
                    hundredths(ratio.cpu()),
                    hundredths(ratio.p99()),
                    verdict(ratio, operation));
        }
        return table.render();
    }

    private static String verdict(Ratio ratio, String operation) {
        if (ratio.same()) {
            return "no difference";
        }
        if (ratio.behindInThroughput()) {
            return ratio.behindInCpu() ? "BEHIND" : "BEHIND in " + operation + "/s";
        }
        return ratio.behindInCpu() ? "BEHIND in CPU" : "ahead";
    }

    private static String number(double value) {
        return value < MANY ? hundredths(value) : String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String tenths(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String hundredths(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }
}
