package io.skein.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reports as tables for a document that is kept with the sources, so that no figure in it is typed. A document has a part
 * for them between {@link #BEGIN} and {@link #END}; a file without such a part is theirs as a whole. Each suite has a
 * section, which stays until that suite is run again.
 */
public final class Markdown {
    static final String BEGIN = "<!-- figures, written by ./skein bench --markdown -->";
    static final String END = "<!-- end of figures -->";

    private static final Pattern SECTION = Pattern.compile("(?m)^### (\\S+)$");
    private static final List<String> FACTS = List.of("date", "system", "processor", "jdk", "commit", "cores");

    private Markdown() {}

    /** The document with the sections of the reports' suites replaced. */
    public static String into(String document, List<SuiteReport> reports) {
        int begin = document.indexOf(BEGIN);
        int end = document.indexOf(END);
        boolean hasPart = begin >= 0 && end > begin;
        Map<String, String> sections =
                hasPart ? sections(document.substring(begin + BEGIN.length(), end)) : new LinkedHashMap<>();
        reports.forEach(report -> sections.put(report.suite(), section(report)));
        String figures = BEGIN + "\n\n" + String.join("\n", sections.values()) + "\n" + END;
        return hasPart
                ? document.substring(0, begin) + figures + document.substring(end + END.length())
                : figures + "\n";
    }

    private static Map<String, String> sections(String figures) {
        Map<String, String> sections = new LinkedHashMap<>();
        List<MatchResult> starts = SECTION.matcher(figures).results().toList();
        for (int i = 0; i < starts.size(); i++) {
            int end = i + 1 < starts.size() ? starts.get(i + 1).start() : figures.length();
            sections.put(
                    starts.get(i).group(1),
                    figures.substring(starts.get(i).start(), end).strip() + "\n");
        }
        return sections;
    }

    /** Where Skein is behind comes first. */
    static String section(SuiteReport report) {
        StringBuilder text = new StringBuilder();
        text.append("### ").append(report.suite()).append("\n\n");
        facts(text, report.setup());
        text.append(Summary.counts(List.of(report))).append('\n');
        behind(text, Summary.behind(List.of(report)));
        medians(text, report);
        return text.toString();
    }

    private static void facts(StringBuilder text, Map<String, Object> setup) {
        text.append(FACTS.stream()
                        .filter(setup::containsKey)
                        .map(fact -> fact + ": " + setup.get(fact))
                        .collect(Collectors.joining("; ")))
                .append("\n\n");
    }

    private static void behind(StringBuilder text, List<Summary.Entry> entries) {
        if (entries.isEmpty()) {
            return;
        }
        text.append("\nWhere Skein is behind, or misses what is wanted:\n\n");
        row(text, List.of("case", "contender", "over", "ratio/extra", "spread", "wanted"));
        rule(text, 6);
        for (Summary.Entry entry : entries) {
            Finding finding = entry.finding();
            Claim claim = finding.claim();
            row(
                    text,
                    List.of(
                            claim.subject() + (entry.clientBound() ? " \\*" : ""),
                            claim.contender(),
                            claim.rival(),
                            claim.wanted().text(finding.figure(), finding.unit()),
                            Summary.percent(finding.spread()),
                            claim.wanted().boundText(finding.unit())));
        }
    }

    /** Medians: a table for cases that have the same contenders, which follow each other. */
    private static void medians(StringBuilder text, SuiteReport report) {
        Map<String, Object> setup = report.setup();
        if (setup.containsKey("rounds")) {
            text.append("\n%s rounds of %s s, warm-up %s s%n"
                    .formatted(setup.get("rounds"), setup.get("seconds"), setup.get("warmup")));
        }
        Map<String, List<String>> cases = new LinkedHashMap<>();
        report.findings()
                .samples()
                .keySet()
                .forEach(key -> cases.computeIfAbsent(key.subject(), subject -> new ArrayList<>())
                        .add(key.contender()));
        List<String> columns = List.of();
        for (Map.Entry<String, List<String>> each : cases.entrySet()) {
            if (!each.getValue().equals(columns)) {
                columns = each.getValue();
                List<String> headings = new ArrayList<>(List.of("case", "unit"));
                headings.addAll(columns);
                text.append('\n');
                row(text, headings);
                rule(text, headings.size());
            }
            row(text, cells(report, each.getKey(), columns));
        }
    }

    /** A rival's figure is bold where Skein costs more, and has a ≈ where there is no difference. */
    private static List<String> cells(SuiteReport report, String subject, List<String> contenders) {
        Findings findings = report.findings();
        Map<String, Finding.Verdict> verdicts = findings.worstFirst().stream()
                .filter(finding -> finding.claim().subject().equals(subject))
                .collect(Collectors.toMap(
                        finding -> finding.claim().rival(), Finding::verdict, (worse, better) -> worse));
        List<String> cells = new ArrayList<>();
        cells.add(subject);
        for (String contender : contenders) {
            List<Sample> samples = findings.samples().getOrDefault(new Findings.Key(subject, contender), List.of());
            if (cells.size() == 1) {
                cells.add(samples.getFirst().unit());
            }
            String figure = number(Series.of(samples, Sample::cost).median())
                    + (findings.clientBound(subject, contender) ? " \\*" : "");
            Finding.Verdict verdict = verdicts.getOrDefault(contender, Finding.Verdict.AHEAD);
            cells.add(
                    switch (verdict) {
                        case BEHIND -> "**" + figure + "**";
                        case NO_DIFFERENCE -> "≈ " + figure;
                        case AHEAD -> figure;
                    });
        }
        return cells;
    }

    private static void row(StringBuilder text, List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private static void rule(StringBuilder text, int columns) {
        text.append("|---".repeat(columns)).append("|\n");
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 1000 ? "%.2f" : "%,.0f", value);
    }
}
