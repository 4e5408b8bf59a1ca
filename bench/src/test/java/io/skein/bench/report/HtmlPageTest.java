package io.skein.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xml.sax.InputSource;

class HtmlPageTest {
    private static final List<Round> ROUNDS = List.of(
            Rounds.of("skein", 1, 1, 100, 5),
            Rounds.of("jdk", 1, 1, 60, 4),
            Rounds.of("netty", 1, 1, 60, 9, 0.99),
            Rounds.of("skein", 100, 1, 200, 3),
            Rounds.of("jdk", 100, 1, 100, 6));

    @Test
    void whereSkeinIsBehindComesFirst() {
        assertThat(page())
                .containsSubsequence(
                        "Where Skein is behind",
                        "Of 9 comparisons Skein is behind in 1",
                        "echo of 1 KiB, 1 connection: CPU: skein over jdk",
                        "1.25 missed",
                        "<h2>echo</h2>");
    }

    @Test
    void everyFigureAndTheSetupAreThere() {
        assertThat(page())
                .contains("jdk: 25", "echo of 1 KiB, 100 connections: time", "CPU of echo of 1 KiB", "Latency of echo")
                .contains("<td>9.00</td>");
    }

    @Test
    void aRowWhoseClientWasTheBottleneckIsMarked() {
        assertThat(page()).contains("<td>netty *</td>").doesNotContain("<td>jdk *</td>");
    }

    @Test
    void needsNoNetwork() {
        assertThat(page()).doesNotContain("http:", "https:", "src=", "@import", "<script");
    }

    @Test
    void itsPicturesAreWellFormed() {
        List<String> pictures = Pattern.compile("<svg.*?</svg>", Pattern.DOTALL)
                .matcher(page())
                .results()
                .map(match -> match.group())
                .toList();
        assertThat(pictures).hasSize(5);
        assertThat(pictures)
                .allSatisfy(picture -> assertThat(DocumentBuilderFactory.newInstance()
                                .newDocumentBuilder()
                                .parse(new InputSource(new StringReader(picture))))
                        .isNotNull());
    }

    @ParameterizedTest
    @ValueSource(strings = {"<b>", "a & b", "\"quoted\""})
    void textStaysText(String text) {
        assertThat(Html.element("p", text)).doesNotContain("<b>", "& ", "\"");
    }

    private static String page() {
        return HtmlPage.render(List.of(LoadReports.of(
                "echo",
                Map.of("jdk", "25"),
                List.of("skein", "jdk", "netty"),
                ROUNDS,
                List.of(),
                Precision.FULL,
                (scenario, rival) -> Wanted.costAtMost(1),
                (scenario, rival) -> Wanted.nothing())));
    }
}
