package io.skein.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MicroReportTest {
    private static final List<Claim> CLAIMS = List.of(
            new Claim(Samples.SUBJECT, "skein", "jdk", Wanted.costAtMost(1.0)),
            new Claim(Samples.SUBJECT, "skein", "kotlin", Wanted.nothing()));

    @Test
    void theTableShowsCostsAndThenClaimsTheWorstFirst() {
        assertThat(MicroText.render(
                        findings(List.of(Samples.of("skein", 100), Samples.of("jdk", 200), Samples.of("kotlin", 80)))))
                .isEqualTo("""
                        case    contender    cost   unit   spread
                        spawn       skein   100.0     ns      0 %
                        spawn         jdk   200.0     ns      0 %
                        spawn      kotlin    80.0     ns      0 %

                        case    contender     over   ratio/extra   spread   wanted
                        spawn       skein   kotlin          1.25      0 %                    BEHIND
                        spawn       skein      jdk          0.50      0 %   ≤ 1.00   holds    ahead
                        """);
    }

    @Test
    void theTableSaysWhatWasMissedAndWhatIsNoDifference() {
        assertThat(MicroText.render(findings(List.of(
                        Samples.of("skein", 98, 100, 102, 110, 120), Samples.of("jdk", 100, 100, 100, 100, 100)))))
                .contains("1.02", "10 %", "holds", "no difference")
                .doesNotContain("BEHIND", "MISSED");
        assertThat(MicroText.render(findings(List.of(Samples.of("skein", 110), Samples.of("jdk", 100)))))
                .contains("1.10", "MISSED", "BEHIND");
    }

    @Test
    void aDifferenceIsToldInTheUnitOfTheCosts() {
        Claim claim = new Claim(Samples.SUBJECT, "skein", "jdk", Wanted.extraCostAtMost(15));
        Findings findings = new Findings(
                Stream.of(Samples.of("skein", 12), Samples.of("jdk", 2))
                        .flatMap(List::stream)
                        .toList(),
                List.of(claim),
                Precision.FULL);
        assertThat(MicroText.render(findings)).contains("+10.00 ns", "≤ +15.00 ns", "holds");
        assertThat(Json.of(MicroJson.document("sync", Map.of(), findings, List.of())))
                .contains("\"extra\": 10.0", "\"unit\": \"ns\"", "\"wanted\": 15.0", "\"holds\": true")
                .doesNotContain("ratio");
    }

    @Test
    void aQuickRunTellsWhoIsAheadAndNotWhetherAFigureIsJustWithinItsBound() {
        List<Sample> samples = Stream.of(Samples.of("skein", 93), Samples.of("jdk", 100), Samples.of("kotlin", 50))
                .flatMap(List::stream)
                .toList();
        List<Claim> claims = List.of(
                new Claim(Samples.SUBJECT, "skein", "jdk", Wanted.costAtMost(0.9)),
                new Claim(Samples.SUBJECT, "jdk", "kotlin", Wanted.costAtMost(1.0)),
                new Claim(Samples.SUBJECT, "skein", "kotlin", Wanted.nothing()));
        Findings quick = new Findings(samples, claims, Precision.QUICK);
        assertThat(MicroText.render(quick))
                .contains(
                        "0.93      0 %   ≤ 0.90            no difference",
                        "2.00      0 %   ≤ 1.00   MISSED          BEHIND")
                .doesNotContain("holds", "1.86");
        assertThat(Json.of(MicroJson.document("sync", Map.of(), quick, List.of())))
                .containsOnlyOnce("\"holds\"")
                .contains("\"wanted\": 0.9");
        assertThat(MicroText.render(new Findings(samples, claims, Precision.FULL)))
                .contains("0.93      0 %   ≤ 0.90   MISSED    ahead", "1.86");
    }

    @Test
    void everyRoundMedianAndClaimIsInTheDocument() {
        Findings findings = findings(
                List.of(Samples.of("skein", 100, 120), Samples.of("jdk", 440, 440), Samples.of("kotlin", 111, 111)));
        String document = Json.of(MicroJson.document("sync", Map.of("jdk", "25"), findings, Samples.of("jdk", 999)));
        assertThat(document)
                .contains("\"suite\": \"sync\"", "\"setup\": {\n    \"jdk\": \"25\"")
                .contains("\"over\": \"jdk\"", "\"ratio\": 0.25", "\"wanted\": 1.0", "\"holds\": true")
                .contains("\"verdict\": \"ahead\"", "\"verdict\": \"no difference\"")
                .contains("\"cost\": 110.0", "\"cost\": 100.0", "\"cost\": 120.0")
                .containsSubsequence("\"repeated\": [", "\"cost\": 999.0");
    }

    private static Findings findings(List<List<Sample>> samples) {
        return new Findings(samples.stream().flatMap(List::stream).toList(), CLAIMS, Precision.FULL);
    }
}
