package io.skein.bench.report;

/** What a run is long enough to tell. */
public enum Precision {
    /** Two starts of one program may differ by as much as a twentieth, however steady the rounds are. */
    FULL(0.05),

    /**
     * Who is ahead by more than 12 %, and of whom. Not whether a figure is just within its bound, and nothing about claims that have none, tails
     * above all.
     */
    QUICK(0.12);

    private final double smallestDifference;

    Precision(double smallestDifference) {
        this.smallestDifference = smallestDifference;
    }

    /** Less than such a share is no difference. */
    double smallestDifference() {
        return smallestDifference;
    }

    /** Whether the claim is made. */
    boolean has(Claim claim) {
        return this == FULL || claim.wanted().bound().isPresent();
    }

    /** Whether it can be told if what is wanted is reached. That somebody is not behind can always be told. */
    boolean judges(Wanted wanted) {
        return wanted.bound().isPresent() && (this == FULL || wanted.isNotToBeBehind());
    }
}
