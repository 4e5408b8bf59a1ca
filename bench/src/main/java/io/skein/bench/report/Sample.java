package io.skein.bench.report;

/**
 * What one contender cost in one case, in one round.
 *
 * @param subject the case's name
 * @param unit of the cost, for people
 * @param disturbance the share of a core that others took meanwhile
 * @param clientBound whether a load generator may have been the limit
 */
public record Sample(
        String subject,
        String contender,
        int round,
        double cost,
        String unit,
        double disturbance,
        boolean clientBound) {
    public boolean disturbed() {
        return disturbance > Round.TOLERABLE;
    }
}
