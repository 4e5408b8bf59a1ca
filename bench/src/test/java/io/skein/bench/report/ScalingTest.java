package io.skein.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScalingTest {
    @Test
    void twoWorkersShouldDoAlmostTwiceTheWork() {
        Scaling scaling = scaling(150, 0.5, false);
        assertThat(scaling.claims())
                .containsExactly(new Claim(
                        "echo of 1 KiB, 100 connections: 1 → 2 workers",
                        "skein, 2 workers",
                        "skein, 1 worker",
                        Wanted.speedAtLeast(1.7)));
        Finding finding = findings(scaling).worstFirst().getFirst();
        assertThat(finding.figure()).isCloseTo(1.5, within(1e-9));
        assertThat(finding.missed()).isTrue();
        assertThat(findings(scaling(170, 0.5, false)).worstFirst().getFirst().missed())
                .isFalse();
    }

    @Test
    void nothingIsWantedWhereTheLoadGeneratorTookFromTheServer() {
        Scaling scaling = scaling(150, 0.2, true);
        assertThat(findings(scaling).worstFirst().getFirst().missed()).isFalse();
        assertThat(scaling.text()).contains("skein *", "1 → 2", "1.50").doesNotContain("≥");
        assertThat(scaling(150, 0.05, true).text()).contains("≥ 1.70").doesNotContain("*");
    }

    @Test
    void rivalsAreShownAndNothingIsClaimedOfThem() {
        Scaling scaling = Scaling.of(
                Stream.of(rounds("skein", 150, 0.5, false), rounds("jdk", 180, 0.5, false))
                        .flatMap(List::stream)
                        .toList(),
                Precision.FULL);
        assertThat(scaling.text()).contains("jdk", "1.80");
        assertThat(scaling.claims()).extracting(Claim::contender).containsExactly("skein, 2 workers");
    }

    @Test
    void thereIsNothingToSayOfOneWorkerAlone() {
        Scaling scaling = Scaling.of(List.of(Rounds.of("skein", 100, 1, 100, 5)), Precision.FULL);
        assertThat(scaling).isEqualTo(new Scaling(List.of(), List.of(), ""));
    }

    private static Scaling scaling(long requestsOfTwo, double clientShare, boolean shared) {
        return Scaling.of(rounds("skein", requestsOfTwo, clientShare, shared), Precision.FULL);
    }

    private static List<Round> rounds(String server, long requestsOfTwo, double clientShare, boolean shared) {
        return List.of(
                Rounds.of(server, 100, 1, 100, 5),
                Rounds.by(2, Rounds.of(server, 100, 1, requestsOfTwo, 5, clientShare), shared));
    }

    private static Findings findings(Scaling scaling) {
        return new Findings(scaling.samples(), scaling.claims(), Precision.FULL);
    }
}
