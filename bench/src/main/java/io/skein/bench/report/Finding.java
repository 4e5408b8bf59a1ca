package io.skein.bench.report;

import java.util.Comparator;

/**
 * What became of a claim: the medians, what they come to, and whether the rounds agree enough to speak of a difference.
 *
 * <p>What else a machine does slows all contenders of a round down. So each is compared with the other one's figure of the same round,
 * and it is these ratios that have to agree.
 *
 * @param unit of the costs
 */
public record Finding(Claim claim, String unit, Series cost, Series rivalCost, Precision precision) {
    /** Where Skein is behind comes first: what was wanted and missed, then the other losses, the worst of each before. */
    static final Comparator<Finding> WORST_FIRST = Comparator.comparing(Finding::missed)
            .reversed()
            .thenComparing(Finding::verdict)
            .thenComparing(Comparator.comparingDouble(Finding::costRatio).reversed());

    /** In the order in which they are told. */
    enum Verdict {
        BEHIND,
        NO_DIFFERENCE,
        AHEAD
    }

    /** What the claim is about: a ratio, or a difference. */
    double figure() {
        return claim.wanted().of() == Wanted.Of.EXTRA
                ? claim.wanted().figure(cost.median(), rivalCost.median())
                : claim.wanted().figure(costRatio(), 1);
    }

    /** How much the rounds' ratios differ. */
    double spread() {
        return cost.over(rivalCost).spread();
    }

    /** A difference that the rounds do not agree on is none. */
    Verdict verdict() {
        Series ratio = claim.wanted().of() == Wanted.Of.SPEED ? rivalCost.over(cost) : cost.over(rivalCost);
        if (!ratio.isDifference(precision)) {
            return Verdict.NO_DIFFERENCE;
        }
        return costRatio() > 1 ? Verdict.BEHIND : Verdict.AHEAD;
    }

    /** Whether it is told if what is wanted was reached. */
    boolean judged() {
        return precision.judges(claim.wanted());
    }

    /** Whether the medians miss what was wanted, as far as can be told. Who is not to be behind may be level. */
    boolean missed() {
        if (!judged()) {
            return false;
        }
        return claim.wanted().isNotToBeBehind()
                ? verdict() == Verdict.BEHIND
                : claim.wanted().missedBy(figure());
    }

    private double costRatio() {
        return cost.over(rivalCost).median();
    }
}
