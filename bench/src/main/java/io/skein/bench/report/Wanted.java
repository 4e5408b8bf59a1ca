package io.skein.bench.report;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * How a claim compares two costs, and what ought to come out. All figures are costs: of time, of memory.
 *
 * @param of what is compared
 * @param bound empty where a rival is shown for comparison only
 */
public record Wanted(Of of, OptionalDouble bound) {
    /** What is made of two costs. */
    public enum Of {
        /** The first over the second. */
        COST,
        /** How many times the work gets done at the first: the second over the first. */
        SPEED,
        /** What the first is above the second, in the unit of both. */
        EXTRA
    }

    public static Wanted costAtMost(double bound) {
        return new Wanted(Of.COST, OptionalDouble.of(bound));
    }

    public static Wanted speedAtLeast(double bound) {
        return new Wanted(Of.SPEED, OptionalDouble.of(bound));
    }

    public static Wanted extraCostAtMost(double bound) {
        return new Wanted(Of.EXTRA, OptionalDouble.of(bound));
    }

    /** The ratio of costs, and no opinion about it. */
    public static Wanted nothing() {
        return new Wanted(Of.COST, OptionalDouble.empty());
    }

    /** The ratio of speeds, and no opinion about it. */
    public static Wanted speed() {
        return new Wanted(Of.SPEED, OptionalDouble.empty());
    }

    /** The difference of costs, and no opinion about it. */
    public static Wanted extraCost() {
        return new Wanted(Of.EXTRA, OptionalDouble.empty());
    }

    double figure(double cost, double rivalCost) {
        return switch (of) {
            case COST -> cost / rivalCost;
            case SPEED -> rivalCost / cost;
            case EXTRA -> cost - rivalCost;
        };
    }

    /** Whether it is wanted to be no worse than a rival, and not by how much to be better. */
    boolean isNotToBeBehind() {
        return of != Of.EXTRA && bound.isPresent() && bound.getAsDouble() == 1;
    }

    /** Judges a figure as it is printed. */
    boolean missedBy(double figure) {
        double printed = Math.round(figure * 100) / 100.0;
        return bound.isPresent() && (of == Of.SPEED ? printed < bound.getAsDouble() : printed > bound.getAsDouble());
    }

    /**
     * A figure for people, to two decimals.
     *
     * @param unit of the costs
     */
    String text(double figure, String unit) {
        return of == Of.EXTRA
                ? String.format(Locale.ROOT, "%+.2f %s", figure, unit)
                : String.format(Locale.ROOT, "%.2f", figure);
    }

    /** The bound for people; empty where there is none. */
    String boundText(String unit) {
        return bound.isEmpty() ? "" : (of == Of.SPEED ? "≥ " : "≤ ") + text(bound.getAsDouble(), unit);
    }
}
