package io.skein.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** All reports as one page that needs no network: where Skein is behind, then each suite with charts and figures. */
public final class HtmlPage {
    private static final List<String> FACTS = List.of("date", "system", "processor", "jdk", "commit", "cores");

    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>Skein beside its rivals</title>
            <style>
            :root { color-scheme: light dark; --line: #8884; --text: light-dark(#222, #ddd); }
            body { font: 15px/1.5 system-ui, sans-serif; max-width: 1200px; margin: 2em auto; padding: 0 1em; }
            table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
            td, th { padding: .15em .8em; border-bottom: 1px solid var(--line); text-align: right; }
            td:first-child, th:first-child { text-align: left; }
            svg { width: 100%; font-size: 12px; }
            svg.chart { max-width: 740px; }
            svg text { fill: var(--text); }
            .label { text-anchor: end; }
            .tick { text-anchor: middle; }
            .grid { stroke: var(--line); }
            .one, .error { stroke: var(--text); }
            .behind { fill: #dc2626; }
            .ahead { fill: #16a34a; }
            .no_difference { fill: #9ca3af; }
            </style>
            </head>
            <body>
            <h1>Skein beside its rivals</h1>
            """;

    private HtmlPage() {}

    public static String render(List<SuiteReport> reports) {
        StringBuilder page = new StringBuilder(HEAD);
        if (!reports.isEmpty()) {
            facts(page, reports.getFirst().setup());
        }
        behind(page, reports);
        reports.forEach(report -> suite(page, report));
        return page.append("</body>\n</html>\n").toString();
    }

    private static void facts(StringBuilder page, Map<String, Object> setup) {
        page.append("<p>");
        for (String fact : FACTS) {
            if (setup.containsKey(fact)) {
                page.append(Html.escape(fact + ": " + setup.get(fact))).append("<br>\n");
            }
        }
        page.append("</p>\n");
    }

    private static void behind(StringBuilder page, List<SuiteReport> reports) {
        page.append(Html.element("h2", "Where Skein is behind"))
                .append(Html.element("p", Summary.counts(reports)))
                .append('\n');
        List<Summary.Entry> entries = Summary.behind(reports);
        if (!entries.isEmpty()) {
            page.append(RatioBars.svg(entries));
        }
        page.append(Html.element(
                "p",
                "A bar is the ratio of Skein's cost to the rival's, medians over all rounds; to the right of 1 Skein costs"
                        + " more. The thin line is what the rounds would allow. A difference that fewer than three"
                        + " rounds of four agree on, or of less than 5 %, is called none. * the load generator used more than 95 % of its"
                        + " core, or more than 10 % of one that it shares with the server, so the server may have more to"
                        + " give."));
    }

    private static void suite(StringBuilder page, SuiteReport report) {
        page.append(Html.element("h2", report.suite())).append('\n');
        page.append(RatioBars.svg(report.findings().worstFirst().stream()
                .map(finding -> Summary.entry(report, finding))
                .toList()));
        for (Chart chart : report.charts()) {
            page.append(Html.element("h3", chart.title() + " (" + chart.unit() + ")"))
                    .append('\n')
                    .append(LineChart.svg(chart));
        }
        figures(page, report.findings());
        page.append("<details><summary>Setup</summary><pre>")
                .append(Html.escape(Json.of(report.setup())))
                .append("</pre></details>\n");
    }

    private static void figures(StringBuilder page, Findings findings) {
        page.append("<details open><summary>Figures</summary>\n<table>\n<tr>");
        for (String heading : List.of("case", "contender", "median", "unit", "lowest", "highest", "spread")) {
            page.append(Html.element("th", heading));
        }
        page.append("</tr>\n");
        findings.samples().forEach((key, samples) -> {
            Series costs = Series.of(samples, Sample::cost);
            page.append("<tr>")
                    .append(Html.element("td", key.subject()))
                    .append(Html.element(
                            "td", key.contender() + (findings.clientBound(key.subject(), key.contender()) ? " *" : "")))
                    .append(Html.element("td", number(costs.median())))
                    .append(Html.element("td", samples.getFirst().unit()))
                    .append(Html.element("td", number(costs.min())))
                    .append(Html.element("td", number(costs.max())))
                    .append(Html.element("td", Summary.percent(costs.spread())))
                    .append("</tr>\n");
        });
        page.append("</table></details>\n");
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 1000 ? "%.2f" : "%,.0f", value);
    }
}
