package io.skein.bench.report;

import java.util.List;
import java.util.Locale;

/** Where Skein stands after all suites: first of all, where it is behind. */
public final class Summary {
    private Summary() {}

    /**
     * A finding and the suite it is of.
     *
     * @param clientBound whether the load generator may have been the limit for either
     */
    record Entry(String suite, Finding finding, boolean clientBound) {}

    /** For a terminal. */
    public static String render(List<SuiteReport> reports) {
        List<Entry> behind = behind(reports);
        StringBuilder text = new StringBuilder(counts(reports)).append('\n');
        if (!behind.isEmpty()) {
            Table table = new Table("behind or missed", "case", "contender", "over", "ratio/extra", "spread", "wanted");
            for (Entry entry : behind) {
                Claim claim = entry.finding().claim();
                table.row(
                        entry.suite(),
                        claim.subject() + (entry.clientBound() ? " *" : ""),
                        claim.contender(),
                        claim.rival(),
                        claim.wanted()
                                .text(entry.finding().figure(), entry.finding().unit()),
                        percent(entry.finding().spread()),
                        claim.wanted().boundText(entry.finding().unit()));
            }
            text.append(table.render());
        }
        return text.toString();
    }

    /** One sentence. */
    static String counts(List<SuiteReport> reports) {
        List<Finding> all = reports.stream()
                .flatMap(report -> report.findings().worstFirst().stream())
                .toList();
        return "Of %d comparisons Skein is behind in %d, ahead in %d, and %d show no difference."
                .formatted(
                        all.size(),
                        count(all, Finding.Verdict.BEHIND),
                        count(all, Finding.Verdict.AHEAD),
                        count(all, Finding.Verdict.NO_DIFFERENCE));
    }

    private static long count(List<Finding> all, Finding.Verdict verdict) {
        return all.stream().filter(finding -> finding.verdict() == verdict).count();
    }

    /** What is behind, or misses what was wanted; the worst of each suite first. */
    static List<Entry> behind(List<SuiteReport> reports) {
        return reports.stream()
                .flatMap(report -> report.findings().worstFirst().stream()
                        .filter(finding -> finding.verdict() == Finding.Verdict.BEHIND || finding.missed())
                        .map(finding -> entry(report, finding)))
                .toList();
    }

    static Entry entry(SuiteReport report, Finding finding) {
        Claim claim = finding.claim();
        boolean bound = report.findings().clientBound(claim.subject(), claim.contender())
                || report.findings().clientBound(claim.subject(), claim.rival());
        return new Entry(report.suite(), finding, bound);
    }

    static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }
}
