package io.skein.bench.report;

import java.util.Comparator;

/** What became of a claim: the medians, their ratio, and whether the rounds agree enough to speak of a difference. */
public record Finding(Claim claim, Series cost, Series rivalCost) {
    /** Where Skein is behind comes first: what was wanted and missed, then the other losses, the worst of each before. */
    static final Comparator<Finding> WORST_FIRST = Comparator.comparing(Finding::missed)
            .reversed()
            .thenComparing(Finding::verdict)
            .thenComparing(Comparator.comparingDouble(Finding::badness).reversed());

    /** In the order in which they are told. */
    enum Verdict {
        BEHIND,
        NO_DIFFERENCE,
        AHEAD
    }

    double ratio() {
        return claim.wanted().ratio(cost.median(), rivalCost.median());
    }

    /** The wider one of the two series. */
    double spread() {
        return Math.max(cost.spread(), rivalCost.spread());
    }

    /** A difference that is smaller than what the rounds of one contender differ by is none. */
    Verdict verdict() {
        if (Math.abs(ratio() - 1) <= spread()) {
            return Verdict.NO_DIFFERENCE;
        }
        return badness() > 1 ? Verdict.BEHIND : Verdict.AHEAD;
    }

    /** Whether the medians miss what was wanted. */
    boolean missed() {
        return claim.wanted().missedBy(ratio());
    }

    private double badness() {
        return claim.wanted().badness(ratio());
    }
}
