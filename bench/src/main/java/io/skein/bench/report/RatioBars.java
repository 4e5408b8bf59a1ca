package io.skein.bench.report;

import java.util.List;
import java.util.Locale;

/**
 * A picture of findings: a bar for each from 1 to the ratio of costs, on a logarithmic scale, with a line over all that
 * the rounds would allow. To the right of 1 Skein costs more.
 */
final class RatioBars {
    private static final int LABELS = 560;
    private static final int BARS = 420;
    private static final int FIGURES = 200;
    private static final int ROW = 18;
    private static final int TOP = 22;

    /** Beyond that a bar is cut. */
    private static final double MOST = 8;

    private static final double[] TICKS = {0.125, 0.25, 0.5, 1, 2, 4, 8};

    private RatioBars() {}

    static String svg(List<Summary.Entry> entries) {
        int height = TOP + ROW * entries.size() + 4;
        StringBuilder svg = new StringBuilder();
        svg.append("<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"ratios of costs\">%n"
                .formatted(LABELS + BARS + FIGURES, height));
        for (double tick : TICKS) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<line class=\"%s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/><text class=\"tick\" x=\"%.1f\" y=\"12\">%s</text>%n",
                    tick == 1 ? "one" : "grid",
                    x(tick),
                    x(tick),
                    TOP - 6,
                    height,
                    x(tick),
                    tick < 1 ? "1/" + Math.round(1 / tick) : Long.toString(Math.round(tick))));
        }
        int y = TOP;
        for (Summary.Entry entry : entries) {
            row(svg, entry, y);
            y += ROW;
        }
        return svg.append("</svg>\n").toString();
    }

    private static void row(StringBuilder svg, Summary.Entry entry, int y) {
        Finding finding = entry.finding();
        Claim claim = finding.claim();
        double ratio = finding.cost().median() / finding.rivalCost().median();
        double low = finding.cost().min() / finding.rivalCost().max();
        double high = finding.cost().max() / finding.rivalCost().min();
        String label = claim.subject() + ": " + claim.contender() + " over " + claim.rival();
        String figure = String.format(Locale.ROOT, "%.2f", ratio)
                + (entry.clientBound() ? " *" : "")
                + (finding.missed() ? " missed" : "")
                + (finding.verdict() == Finding.Verdict.NO_DIFFERENCE ? " no difference" : "");
        svg.append(String.format(
                Locale.ROOT,
                "<text class=\"label\" x=\"%d\" y=\"%d\">%s</text><rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>"
                        + "<line class=\"error\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/><text x=\"%d\" y=\"%d\">%s</text>%n",
                LABELS - 8,
                y + 12,
                Html.escape(label),
                finding.verdict().name().toLowerCase(Locale.ROOT),
                Math.min(x(1), x(ratio)),
                y + 3,
                Math.abs(x(ratio) - x(1)),
                ROW - 6,
                x(low),
                x(high),
                y + ROW / 2,
                y + ROW / 2,
                LABELS + BARS + 8,
                y + 12,
                Html.escape(figure)));
    }

    private static double x(double ratio) {
        double bounded = Double.isNaN(ratio) ? 1 : Math.clamp(ratio, 1 / MOST, MOST);
        return LABELS + BARS / 2.0 * (1 + Math.log(bounded) / Math.log(MOST));
    }
}
