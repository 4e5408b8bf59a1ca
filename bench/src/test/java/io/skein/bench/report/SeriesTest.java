package io.skein.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class SeriesTest {
    @Test
    void medianOfAnOddNumberIsTheMiddleOne() {
        assertThat(Series.of(9, 1, 5).median()).isEqualTo(5);
    }

    @Test
    void medianOfAnEvenNumberIsBetweenTheMiddleTwo() {
        assertThat(Series.of(4, 1, 2, 100).median()).isEqualTo(3);
    }

    @Test
    void medianOfOneIsItself() {
        assertThat(Series.of(7).median()).isEqualTo(7);
    }

    @Test
    void spreadIsTheDistanceOfTheQuartilesOverTheMedian() {
        assertThat(Series.of(100, 90, 115, 80, 200).spread()).isEqualTo(0.25);
    }

    @Test
    void oneOddRoundOfFiveDoesNotMoveTheSpread() {
        assertThat(Series.of(98, 99, 100, 101, 900).spread()).isEqualTo(0.02);
    }

    @Test
    void betweenTwoValuesAQuartileIsInProportion() {
        assertThat(Series.of(90, 100, 110).spread()).isEqualTo(0.1);
        assertThat(Series.of(90, 110).spread()).isEqualTo(0.1);
    }

    @Test
    void aRatioThatThreeOfFourRoundsAgreeOnIsADifference() {
        assertThat(Series.of(0.5, 0.6, 0.8, 0.99, 1.5).isDifference(Precision.FULL))
                .isTrue();
        assertThat(Series.of(0.5, 0.6, 0.8, 1.01, 1.5).isDifference(Precision.FULL))
                .isFalse();
        assertThat(Series.of(0.5, 1.01, 1.2, 1.3, 1.5).isDifference(Precision.FULL))
                .isTrue();
        assertThat(Series.of(0.5, 0.99, 1.2, 1.3, 1.5).isDifference(Precision.FULL))
                .isFalse();
    }

    @Test
    void aRatioWithinATwentiethOfOneIsNoDifferenceHoweverSteady() {
        assertThat(Series.of(0.94).isDifference(Precision.FULL)).isTrue();
        assertThat(Series.of(0.96).isDifference(Precision.FULL)).isFalse();
        assertThat(Series.of(1.04).isDifference(Precision.FULL)).isFalse();
        assertThat(Series.of(1.06).isDifference(Precision.FULL)).isTrue();
    }

    @Test
    void whatAQuickRunTellsIsMoreThanTwelvePercent() {
        assertThat(Series.of(0.87).isDifference(Precision.QUICK)).isTrue();
        assertThat(Series.of(0.89).isDifference(Precision.QUICK)).isFalse();
        assertThat(Series.of(1.11).isDifference(Precision.QUICK)).isFalse();
        assertThat(Series.of(1.13).isDifference(Precision.QUICK)).isTrue();
    }

    @Test
    void spreadOfEqualValuesIsNone() {
        assertThat(Series.of(0, 0, 0).spread()).isZero();
    }

    @Test
    void takesOneFigureOfManyRounds() {
        Series lengths = Series.of(List.of("a", "bb", "cccc"), String::length);
        assertThat(lengths.min()).isEqualTo(1);
        assertThat(lengths.median()).isEqualTo(2);
        assertThat(lengths.max()).isEqualTo(4);
    }

    @Test
    void leavesTheCallersArrayAlone() {
        double[] values = {3, 1, 2};
        assertThat(Series.of(values).min()).isEqualTo(1);
        assertThat(values).containsExactly(3, 1, 2);
    }

    @Test
    void refusesToBeEmpty() {
        assertThatIllegalArgumentException().isThrownBy(Series::of);
    }
}
