package io.skein.bench.report;

/**
 * That one contender compares with another in one case of a suite as is wanted.
 *
 * @param subject the case's name
 */
public record Claim(String subject, String contender, String rival, Wanted wanted) {
    /** Which claims are made. */
    public enum Choice {
        ALL,

        /** Those that can be missed. Short runs say too little about the others, tails above all. */
        BOUNDED;

        boolean has(Claim claim) {
            return this == ALL || claim.wanted.bound().isPresent();
        }
    }
}
