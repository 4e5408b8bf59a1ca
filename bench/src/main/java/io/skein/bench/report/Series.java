package io.skein.bench.report;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** One figure over all rounds. Immutable, never empty. */
public final class Series {
    private final double[] sorted;

    private Series(double[] sorted) {
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
        return new Series(sorted);
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
