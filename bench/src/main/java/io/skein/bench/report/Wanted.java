package io.skein.bench.report;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Which ratio a claim is about, and what it ought to be. All figures are costs: of time, of memory.
 *
 * @param of the ratio
 * @param bound empty where a rival is shown for comparison only
 */
public record Wanted(Of of, OptionalDouble bound) {
    /** Of two costs, either the first over the second, or how many times the work gets done at the first. */
    public enum Of {
        COST,
        SPEED
    }

    public static Wanted costAtMost(double bound) {
        return new Wanted(Of.COST, OptionalDouble.of(bound));
    }

    public static Wanted speedAtLeast(double bound) {
        return new Wanted(Of.SPEED, OptionalDouble.of(bound));
    }

    /** The ratio of costs, and no opinion about it. */
    public static Wanted nothing() {
        return new Wanted(Of.COST, OptionalDouble.empty());
    }

    double ratio(double cost, double rivalCost) {
        return of == Of.COST ? cost / rivalCost : rivalCost / cost;
    }

    /** The same ratio, but the higher the worse. */
    double badness(double ratio) {
        return of == Of.COST ? ratio : 1 / ratio;
    }

    /** Judges a ratio as it is printed, to two decimals. */
    boolean missedBy(double ratio) {
        double printed = Math.round(ratio * 100) / 100.0;
        return bound.isPresent() && (of == Of.COST ? printed > bound.getAsDouble() : printed < bound.getAsDouble());
    }

    @Override
    public String toString() {
        return bound.isEmpty()
                ? ""
                : String.format(Locale.ROOT, "%s %.2f", of == Of.COST ? "≤" : "≥", bound.getAsDouble());
    }
}
