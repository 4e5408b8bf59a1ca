package io.skein.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MarkdownTest {
    private static final List<Round> ROUNDS = List.of(
            Rounds.of("skein", 1, 1, 100, 5), Rounds.of("jdk", 1, 1, 60, 4), Rounds.of("netty", 1, 1, 60, 9, 0.99));

    @Test
    void saysWhereAndWhenAndThenWhereSkeinIsBehind() {
        assertThat(Markdown.section(report("echo", "abc")))
                .startsWith("### echo\n\ndate: 2026-01-02; commit: abc")
                .containsSubsequence(
                        "Of 6 comparisons Skein is behind in 1",
                        "Where Skein is behind",
                        "| echo of 1 KiB, 1 connection: CPU | skein | jdk | 1.25 | 0 % | ≤ 1.00 |",
                        "| case | unit | skein |");
    }

    @Test
    void aRivalThatIsAheadIsBoldAndOneWhoseClientWasTheLimitIsMarked() {
        assertThat(Markdown.section(report("echo", "abc")))
                .contains(
                        "| case | unit | skein | jdk | netty |\n|---|---|---|---|---|\n",
                        "| echo of 1 KiB, 1 connection: CPU | µs/req | 5.00 | **4.00** | 9.00 \\* |",
                        "| echo of 1 KiB, 1 connection: p99 | µs | 100.00 | ≈ 100.00 | ≈ 100.00 \\* |");
    }

    @Test
    void replacesTheFiguresOfADocumentAndNothingElse() {
        String document = "# Title\n" + Markdown.BEGIN + "\nold\n" + Markdown.END + "\nThe end.\n";
        String once = Markdown.into(document, reports());
        assertThat(once)
                .startsWith("# Title\n" + Markdown.BEGIN + "\n\n### echo\n\ndate:")
                .endsWith(Markdown.END + "\nThe end.\n")
                .doesNotContain("old");
        assertThat(Markdown.into(once, reports())).isEqualTo(once);
    }

    @Test
    void aSuiteThatWasNotRunKeepsItsFigures() {
        String both = Markdown.into("", List.of(report("echo", "old"), report("net", "old")));
        assertThat(Markdown.into(both, List.of(report("echo", "new"))))
                .containsSubsequence("### echo", "commit: new", "### net", "commit: old", Markdown.END)
                .containsOnlyOnce("### echo");
    }

    @Test
    void aFileWithoutAPartForFiguresIsTheirs() {
        assertThat(Markdown.into("", reports())).startsWith(Markdown.BEGIN).endsWith(Markdown.END + "\n");
    }

    private static List<SuiteReport> reports() {
        return List.of(report("echo", "abc"));
    }

    private static SuiteReport report(String suite, String commit) {
        return LoadReports.of(
                suite,
                Map.of("date", "2026-01-02", "commit", commit),
                List.of("skein", "jdk", "netty"),
                ROUNDS,
                List.of(),
                Precision.FULL,
                (scenario, rival) -> Wanted.costAtMost(1),
                (scenario, rival) -> Wanted.nothing());
    }
}
