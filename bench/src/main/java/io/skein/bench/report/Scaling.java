package io.skein.bench.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.skein.bench.load.Scenario;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What more workers are worth: the throughput of a server with several of them over that with one, in scenarios that differ in
 * nothing else. Where the load generator may have been the limit nothing is wanted.
 */
record Scaling(List<Sample> samples, List<Claim> claims, String text) {
    private static final String SKEIN = "skein";

    /** What two workers should do of the work of one, at least. */
    private static final double TWICE = 1.7;

    /** A server in one scenario, but for its workers. */
    private record Key(String server, Scenario scenario) {}

    static Scaling of(List<Round> rounds, Precision precision) {
        Map<Key, Map<Integer, List<Round>>> byWorkers = rounds.stream()
                .filter(round -> !round.scenario().paced())
                .collect(groupingBy(
                        round -> new Key(round.server(), round.scenario().withWorkers(1)),
                        LinkedHashMap::new,
                        groupingBy(round -> round.scenario().workers(), LinkedHashMap::new, toList())));
        List<Sample> samples = new ArrayList<>();
        List<Claim> claims = new ArrayList<>();
        Table table = new Table("more workers", "server", "workers", "times", "spread", "wanted");
        byWorkers.forEach((key, counts) -> counts.forEach((workers, crew) -> {
            List<Round> alone = counts.get(1);
            if (workers == 1 || alone == null) {
                return;
            }
            Claim claim = claim(key, workers, crew, alone);
            List<Sample> ofCrew = samples(claim.subject(), claim.contender(), crew);
            List<Sample> ofOne = samples(claim.subject(), claim.rival(), alone);
            samples.addAll(ofCrew);
            samples.addAll(ofOne);
            Finding finding = new Finding(
                    claim, "µs", Series.of(ofCrew, Sample::cost), Series.of(ofOne, Sample::cost), precision);
            boolean ours = key.server().equals(SKEIN);
            if (ours) {
                claims.add(claim);
            }
            table.row(
                    key.scenario().title(),
                    key.server() + (bound(crew) || bound(alone) ? " *" : ""),
                    "1 → " + workers,
                    claim.wanted().text(finding.figure(), ""),
                    Summary.percent(finding.spread()),
                    ours ? claim.wanted().boundText("") : "");
        }));
        return new Scaling(samples, claims, samples.isEmpty() ? "" : "\n" + table.render());
    }

    private static Claim claim(Key key, int workers, List<Round> crew, List<Round> alone) {
        boolean judged = workers == 2 && !bound(crew) && !bound(alone);
        return new Claim(
                "%s: 1 → %d workers".formatted(key.scenario().title(), workers),
                key.server() + ", " + key.scenario().withWorkers(workers).workersText(),
                key.server() + ", " + key.scenario().workersText(),
                judged ? Wanted.speedAtLeast(TWICE) : Wanted.speed());
    }

    private static boolean bound(List<Round> rounds) {
        return 2 * rounds.stream().filter(Round::clientBound).count() > rounds.size();
    }

    private static List<Sample> samples(String subject, String contender, List<Round> rounds) {
        return rounds.stream()
                .map(round -> new Sample(
                        subject,
                        contender,
                        round.number(),
                        1e6 / round.perSecond(),
                        "µs/" + round.scenario().traffic().operation(),
                        round.disturbance(),
                        round.clientBound()))
                .toList();
    }
}
