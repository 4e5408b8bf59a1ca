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
    void spreadIsTheDistanceOfTheFartherQuartileOverTheMedian() {
        assertThat(Series.of(100, 90, 115, 80, 200).spread()).isEqualTo(0.15);
        assertThat(Series.of(100, 75, 110, 20, 200).spread()).isEqualTo(0.25);
    }

    @Test
    void oneOddRoundOfFiveDoesNotMoveTheSpread() {
        assertThat(Series.of(98, 99, 100, 101, 900).spread()).isEqualTo(0.01);
    }

    @Test
    void betweenTwoValuesAQuartileIsInProportion() {
        assertThat(Series.of(90, 100, 110).spread()).isEqualTo(0.05);
        assertThat(Series.of(90, 110).spread()).isEqualTo(0.05);
    }

    @Test
    void aDifferenceIsMoreThanTheSpreadAndMoreThanATwentieth() {
        assertThat(Series.isDifference(0.89, 0.1)).isTrue();
        assertThat(Series.isDifference(1.11, 0.1)).isTrue();
        assertThat(Series.isDifference(0.91, 0.1)).isFalse();
        assertThat(Series.isDifference(0.94, 0)).isTrue();
        assertThat(Series.isDifference(0.96, 0)).isFalse();
        assertThat(Series.isDifference(1.04, 0)).isFalse();
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
