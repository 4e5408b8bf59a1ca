package io.skein.bench.report;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** One figure over all rounds, in their order. Immutable, never empty. */
public final class Series {
    private final double[] values;
    private final double[] sorted;

    private Series(double[] values, double[] sorted) {
        this.values = values;
        this.sorted = sorted;
    }

    public static <T> Series of(List<T> rounds, ToDoubleFunction<? super T> figure) {
        return of(rounds.stream().mapToDouble(figure).toArray());
    }

    public static Series of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("a series needs at least one value");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Series(values.clone(), sorted);
    }

    /** This figure over another one, round by round: of as many rounds as both have. */
    Series over(Series other) {
        return of(IntStream.range(0, Math.min(values.length, other.values.length))
                .mapToDouble(round -> values[round] / other.values[round])
                .toArray());
    }

    public double min() {
        return sorted[0];
    }

    public double max() {
        return sorted[sorted.length - 1];
    }

    public double median() {
        return quantile(0.5);
    }

    /**
     * The distance of the quartiles, as a share of the median: how far apart the middle half is. As with the median, one odd round of
     * five does not move it.
     */
    public double spread() {
        double distance = quantile(0.75) - quantile(0.25);
        return distance == 0 ? 0 : distance / median();
    }

    /**
     * Whether this ratio of two contenders is a difference between them: both quartiles are on the same side of 1, so that three of four
     * rounds agree, and the median is not too near to it.
     */
    boolean isDifference(Precision precision) {
        return Math.abs(median() - 1) > precision.smallestDifference() && (quantile(0.75) < 1 || quantile(0.25) > 1);
    }

    /** The value that such a share of the others is below; between two, what lies in proportion between them. */
    private double quantile(double share) {
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
