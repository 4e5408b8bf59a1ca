package io.skein.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.skein.bench.report.Finding.Verdict;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FindingTest {
    private static final Wanted NOT_DEARER = Wanted.costAtMost(1.0);

    @Test
    void theRatioOfCostsIsThatOfTheMedians() {
        assertThat(finding(NOT_DEARER, Series.of(50, 1, 900), Series.of(100, 2, 300))
                        .figure())
                .isCloseTo(0.5, within(1e-9));
    }

    @Test
    void theRatioOfSpeedsIsTheOtherWayRound() {
        assertThat(finding(Wanted.speedAtLeast(1.8), Series.of(50), Series.of(100))
                        .figure())
                .isCloseTo(2.0, within(1e-9));
    }

    @Test
    void extraCostIsTheDifferenceOfTheMedians() {
        assertThat(finding(Wanted.extraCostAtMost(15), Series.of(12, 1, 90), Series.of(2, 1, 30))
                        .figure())
                .isCloseTo(10, within(1e-9));
    }

    @Test
    void extraCostIsBehindAndLessCostIsAhead() {
        Wanted little = Wanted.extraCostAtMost(15);
        assertThat(finding(little, Series.of(12), Series.of(2)).verdict()).isEqualTo(Verdict.BEHIND);
        assertThat(finding(little, Series.of(2), Series.of(12)).verdict()).isEqualTo(Verdict.AHEAD);
        assertThat(finding(little, Series.of(95, 100, 105), Series.of(98, 98, 98))
                        .verdict())
                .isEqualTo(Verdict.NO_DIFFERENCE);
    }

    @Test
    void extraCostIsMissedByMoreThanTheBound() {
        Wanted little = Wanted.extraCostAtMost(15);
        assertThat(finding(little, Series.of(17.1), Series.of(2)).missed()).isTrue();
        assertThat(finding(little, Series.of(17.004), Series.of(2)).missed()).isFalse();
        assertThat(finding(little, Series.of(2), Series.of(40)).missed()).isFalse();
        assertThat(finding(Wanted.extraCost(), Series.of(900), Series.of(2)).missed())
                .isFalse();
    }

    @Test
    void lessCostIsAheadAndMoreIsBehind() {
        assertThat(finding(NOT_DEARER, Series.of(90), Series.of(100)).verdict()).isEqualTo(Verdict.AHEAD);
        assertThat(finding(NOT_DEARER, Series.of(110), Series.of(100)).verdict())
                .isEqualTo(Verdict.BEHIND);
    }

    @Test
    void moreSpeedIsAheadAndLessIsBehind() {
        Wanted twice = Wanted.speedAtLeast(2);
        assertThat(finding(twice, Series.of(90), Series.of(100)).verdict()).isEqualTo(Verdict.AHEAD);
        assertThat(finding(twice, Series.of(110), Series.of(100)).verdict()).isEqualTo(Verdict.BEHIND);
    }

    @Test
    void aDifferenceThatTheRoundsOfEitherDoNotAgreeOnIsNone() {
        Series steady = Series.of(100, 100, 100, 100, 100);
        Series wide = Series.of(70, 85, 90, 101, 102);
        assertThat(finding(NOT_DEARER, wide, steady).verdict()).isEqualTo(Verdict.NO_DIFFERENCE);
        assertThat(finding(NOT_DEARER, steady, wide).verdict()).isEqualTo(Verdict.NO_DIFFERENCE);
        assertThat(finding(NOT_DEARER, Series.of(70, 88, 90, 92, 130), steady).verdict())
                .isEqualTo(Verdict.AHEAD);
    }

    @Test
    void whatSlowsAWholeRoundDownIsNoSpread() {
        Finding finding = finding(NOT_DEARER, Series.of(90, 180, 45), Series.of(100, 200, 50));
        assertThat(finding.verdict()).isEqualTo(Verdict.AHEAD);
        assertThat(finding.figure()).isCloseTo(0.9, within(1e-9));
        assertThat(finding.spread()).isCloseTo(0, within(1e-9));
    }

    @Test
    void aRivalThatBrokeDownIsComparedInTheRoundsThatItHas() {
        assertThat(finding(NOT_DEARER, Series.of(90, 95, 500), Series.of(100, 100))
                        .figure())
                .isCloseTo(0.925, within(1e-9));
    }

    @Test
    void whatIsWantedIsMissedByTheMedians() {
        assertThat(finding(Wanted.costAtMost(0.9), Series.of(50, 91, 200), Series.of(100, 100, 100))
                        .missed())
                .isTrue();
        assertThat(finding(Wanted.costAtMost(0.9), Series.of(50, 90, 200), Series.of(100, 100, 100))
                        .missed())
                .isFalse();
        assertThat(finding(Wanted.speedAtLeast(1.8), Series.of(50), Series.of(89))
                        .missed())
                .isTrue();
        assertThat(finding(Wanted.speedAtLeast(1.8), Series.of(50), Series.of(91))
                        .missed())
                .isFalse();
    }

    @Test
    void aRatioIsJudgedAsItIsPrinted() {
        Wanted bound = Wanted.costAtMost(1.1);
        assertThat(finding(bound, Series.of(1104), Series.of(1000)).missed()).isFalse();
        assertThat(finding(bound, Series.of(1106), Series.of(1000)).missed()).isTrue();
    }

    @Test
    void whoIsNotToBeBehindMissesThatOnlyByBeingBehind() {
        assertThat(finding(NOT_DEARER, Series.of(104), Series.of(100)).missed()).isFalse();
        assertThat(finding(NOT_DEARER, Series.of(106), Series.of(100)).missed()).isTrue();
        assertThat(finding(NOT_DEARER, Series.of(90, 95, 106, 130, 140), Series.of(100, 100, 100, 100, 100))
                        .missed())
                .isFalse();
    }

    @Test
    void whereNothingIsWantedNothingIsMissed() {
        assertThat(finding(Wanted.nothing(), Series.of(900), Series.of(100)).missed())
                .isFalse();
    }

    @Test
    void whatWasMissedComesFirstAndTheWorstOfItBefore() {
        Finding ahead = finding(NOT_DEARER, Series.of(50), Series.of(100));
        Finding level = finding(NOT_DEARER, Series.of(90, 98, 106), Series.of(100));
        Finding behindButNotMissed = finding(Wanted.costAtMost(5), Series.of(400), Series.of(100));
        Finding missed = finding(NOT_DEARER, Series.of(120), Series.of(100));
        Finding missedByMore = finding(NOT_DEARER, Series.of(140), Series.of(100));
        Finding missedByADifference = finding(Wanted.extraCostAtMost(15), Series.of(130), Series.of(100));
        Finding tooSlow = finding(Wanted.speedAtLeast(1.8), Series.of(75), Series.of(100));
        assertThat(Stream.of(ahead, missedByADifference, tooSlow, level, missed, behindButNotMissed, missedByMore)
                        .sorted(Finding.WORST_FIRST))
                .containsExactly(missedByMore, missedByADifference, missed, tooSlow, behindButNotMissed, level, ahead);
    }

    @Test
    void claimsAboutWhatDidNotRunAreLeftOut() {
        Claim ran = new Claim(Samples.SUBJECT, "skein", "jdk", NOT_DEARER);
        Claim noRival = new Claim(Samples.SUBJECT, "skein", "kotlin", NOT_DEARER);
        Claim noCase = new Claim("park", "skein", "jdk", NOT_DEARER);
        List<Sample> samples = Stream.of(Samples.of("skein", 1, 2, 3), Samples.of("jdk", 4))
                .flatMap(List::stream)
                .toList();
        assertThat(new Findings(samples, List.of(noCase, ran, noRival), Precision.FULL).worstFirst())
                .extracting(Finding::claim)
                .containsExactly(ran);
    }

    private static Finding finding(Wanted wanted, Series cost, Series rivalCost) {
        return new Finding(new Claim(Samples.SUBJECT, "skein", "jdk", wanted), "ns", cost, rivalCost, Precision.FULL);
    }
}
