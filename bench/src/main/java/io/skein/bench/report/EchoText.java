package io.skein.bench.report;

import java.util.List;
import java.util.Locale;

/** The comparison as people read it in a terminal. */
public final class EchoText {
    private EchoText() {}

    public static String render(Comparison comparison) {
        StringBuilder text = new StringBuilder();
        text.append(plural(comparison.connections(), "connection")).append('\n');
        text.append(figures(comparison.servers()));
        if (comparison.servers().stream().anyMatch(Figures::clientBound)) {
            text.append("* the load generator used more than ")
                    .append(percent(Figures.CLIENT_LIMIT))
                    .append(" of its core: this server may have more to give\n");
        }
        List<Ratio> ratios = comparison.ratios();
        if (!ratios.isEmpty()) {
            text.append('\n').append(ratios(ratios));
        }
        return text.toString();
    }

    private static String figures(List<Figures> servers) {
        Table table = new Table("server", "req/s", "spread", "p50 µs", "p99 µs", "CPU µs/req", "spread", "client CPU");
        for (Figures figures : servers) {
            table.row(
                    figures.server(),
                    whole(figures.requestsPerSecond().median()),
                    percent(figures.requestsPerSecond().spread()),
                    tenths(figures.p50Micros().median()),
                    tenths(figures.p99Micros().median()),
                    hundredths(figures.serverCpuMicros().median()),
                    percent(figures.serverCpuMicros().spread()),
                    (figures.clientBound() ? "* " : "")
                            + percent(figures.clientCpuShare().median()));
        }
        return table.render();
    }

    private static String ratios(List<Ratio> ratios) {
        Table table = new Table("skein over", "req/s", "CPU/req", "p99", "");
        for (Ratio ratio : ratios) {
            table.row(
                    ratio.rival(),
                    hundredths(ratio.throughput()),
                    hundredths(ratio.cpu()),
                    hundredths(ratio.p99()),
                    verdict(ratio));
        }
        return table.render();
    }

    private static String verdict(Ratio ratio) {
        if (!ratio.behind()) {
            return "ahead";
        }
        if (ratio.throughput() < 1) {
            return ratio.cpu() > 1 ? "BEHIND" : "BEHIND in req/s";
        }
        return "BEHIND in CPU";
    }

    private static String plural(int count, String noun) {
        return whole(count) + " " + noun + (count == 1 ? "" : "s");
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
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
