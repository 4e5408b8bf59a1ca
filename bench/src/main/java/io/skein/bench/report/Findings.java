package io.skein.bench.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All samples of a run, sorted by who they are of, and what the suite's claims came to. */
public final class Findings {
    private final Map<Key, List<Sample>> samples;
    private final List<Claim> claims;
    private final Precision precision;

    /** Whose samples they are. */
    record Key(String subject, String contender) {}

    /**
     * Sorts samples.
     *
     * @param samples in the order in which contenders are to be listed
     * @param claims those that the precision allows are made
     */
    public Findings(List<Sample> samples, List<Claim> claims, Precision precision) {
        this.samples = samples.stream()
                .collect(groupingBy(
                        sample -> new Key(sample.subject(), sample.contender()), LinkedHashMap::new, toList()));
        this.claims = claims.stream().filter(precision::has).toList();
        this.precision = precision;
    }

    /** The samples of each contender in each case. */
    Map<Key, List<Sample>> samples() {
        return samples;
    }

    /** Whether the load generator may have been what limited a contender. */
    boolean clientBound(String subject, String contender) {
        List<Sample> own = samples.getOrDefault(new Key(subject, contender), List.of());
        return 2 * own.stream().filter(Sample::clientBound).count() > own.size();
    }

    /** What the claims came to, the worst for Skein first; claims about cases that did not run are left out. */
    List<Finding> worstFirst() {
        return claims.stream()
                .filter(claim -> samples.containsKey(own(claim)) && samples.containsKey(rival(claim)))
                .map(claim -> new Finding(claim, unit(own(claim)), series(own(claim)), series(rival(claim)), precision))
                .sorted(Finding.WORST_FIRST)
                .toList();
    }

    private String unit(Key key) {
        return samples.getOrDefault(key, List.of()).getFirst().unit();
    }

    private Series series(Key key) {
        return Series.of(samples.getOrDefault(key, List.of()), Sample::cost);
    }

    private static Key own(Claim claim) {
        return new Key(claim.subject(), claim.contender());
    }

    private static Key rival(Claim claim) {
        return new Key(claim.subject(), claim.rival());
    }
}
