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
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The distance from the lowest to the highest value, as a share of the median. */
    public double spread() {
        return max() == min() ? 0 : (max() - min()) / median();
    }
}
