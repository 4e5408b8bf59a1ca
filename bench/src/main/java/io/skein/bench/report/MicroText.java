package io.skein.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a suite of small benchmarks found, as people read it in a terminal. */
public final class MicroText {
    private MicroText() {}

    public static String render(Findings findings) {
        return costs(findings.samples()) + "\n" + claims(findings.worstFirst());
    }

    private static String costs(Map<Findings.Key, List<Sample>> samples) {
        Table table = new Table("case", "contender", "cost", "unit", "spread");
        samples.forEach((key, rounds) -> {
            Series costs = Series.of(rounds, Sample::cost);
            table.row(
                    key.subject(),
                    key.contender(),
                    String.format(Locale.ROOT, "%,.1f", costs.median()),
                    rounds.getFirst().unit(),
                    percent(costs.spread()));
        });
        return table.render();
    }

    private static String claims(List<Finding> findings) {
        Table table = new Table("case", "contender", "over", "ratio/extra", "spread", "wanted", "", "");
        for (Finding finding : findings) {
            Claim claim = finding.claim();
            table.row(
                    claim.subject(),
                    claim.contender(),
                    claim.rival(),
                    claim.wanted().text(finding.figure(), finding.unit()),
                    percent(finding.spread()),
                    claim.wanted().boundText(finding.unit()),
                    holds(finding),
                    verdict(finding));
        }
        return table.render();
    }

    private static String holds(Finding finding) {
        if (!finding.judged()) {
            return "";
        }
        return finding.missed() ? "MISSED" : "holds";
    }

    private static String verdict(Finding finding) {
        return switch (finding.verdict()) {
            case BEHIND -> "BEHIND";
            case NO_DIFFERENCE -> "no difference";
            case AHEAD -> "ahead";
        };
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }
}
