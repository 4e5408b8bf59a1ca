package io.skein.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyHistogramTest {

    private static final long EIGHTEEN_MINUTES = (1L << 40) - 1;

    private final LatencyHistogram histogram = new LatencyHistogram();

    @Test
    void anEmptyHistogramHasNoDurations() {
        assertThat(histogram.count()).isZero();
        assertThat(histogram.quantile(0.5)).isZero();
    }

    @Test
    void shortDurationsAreExact() {
        for (int nanos = 0; nanos < 64; nanos++) {
            LatencyHistogram one = new LatencyHistogram();
            one.record(nanos);
            assertThat(one.quantile(0.5)).isEqualTo(nanos);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {64, 65, 1_000, 1_023, 1_024, 1_025, 450_000, 1_000_000_007, EIGHTEEN_MINUTES})
    void longDurationsAreWithinOneThirtySecondAndNeverTooShort(long nanos) {
        histogram.record(nanos);
        assertThat(histogram.quantile(1)).isBetween(nanos, nanos + nanos / 32);
    }

    @Test
    void everyBoundaryBetweenPowersOfTwoKeepsItsOrder() {
        long before = -1;
        for (long nanos = 1; nanos < EIGHTEEN_MINUTES; nanos += Math.max(1, nanos / 40)) {
            LatencyHistogram one = new LatencyHistogram();
            one.record(nanos);
            assertThat(one.quantile(1)).isGreaterThanOrEqualTo(before);
            before = one.quantile(1);
        }
    }

    @Test
    void quantilesFollowTheSortedDurations() {
        SplittableRandom random = new SplittableRandom(42);
        long[] durations = random.longs(10_000, 1_000, 100_000_000)
                .map(LatencyHistogramTest::squared)
                .toArray();
        Arrays.stream(durations).forEach(histogram::record);
        Arrays.sort(durations);

        for (double share : new double[] {0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1}) {
            long exact = durations[(int) Math.ceil(share * durations.length) - 1];
            assertThat(histogram.quantile(share)).as("share %s", share).isBetween(exact, exact + exact / 32);
        }
    }

    @Test
    void quantileZeroIsTheShortestDuration() {
        histogram.record(5);
        histogram.record(50);
        assertThat(histogram.quantile(0)).isEqualTo(5);
    }

    @Test
    void addingTakesEverythingOver() {
        LatencyHistogram other = new LatencyHistogram();
        histogram.record(10);
        other.record(20);
        other.record(30);

        histogram.add(other);

        assertThat(histogram.count()).isEqualTo(3);
        assertThat(histogram.quantile(0.5)).isEqualTo(20);
        assertThat(histogram.quantile(1)).isEqualTo(30);
    }

    @Test
    void whatLiesOutsideCountsInTheNearestBucket() {
        histogram.record(-1);
        assertThat(histogram.quantile(1)).isZero();
        histogram.record(Long.MAX_VALUE);
        assertThat(histogram.quantile(1)).isEqualTo(EIGHTEEN_MINUTES);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
    void aShareOutsideZeroToOneIsRefused(double share) {
        assertThatIllegalArgumentException().isThrownBy(() -> histogram.quantile(share));
    }

    /** Most durations short, a few long, as latencies are. */
    private static long squared(long nanos) {
        return 1_000 + nanos / 1_000 * (nanos / 1_000);
    }
}
