package io.skein.bench;

import io.skein.bench.report.Claim;
import io.skein.bench.report.Wanted;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One thing that contenders are compared in. What is measured is a cost, so lower is better.
 *
 * @param unit of the cost, for people
 * @param inQuick whether it is part of a first impression
 * @param counter the JMH counter that has the cost; empty where the time of an operation is the cost
 */
record MicroCase(
        String name,
        String unit,
        Optional<String> counter,
        List<MicroContender> contenders,
        List<Claim> claims,
        boolean inQuick) {
    private static final String OURS = "skein";

    MicroCase {
        contenders = List.copyOf(contenders);
        claims = List.copyOf(claims);
    }

    /** A case whose cost is time. */
    static MicroCase timed(String name, MicroContender... contenders) {
        return new MicroCase(name, "ns", Optional.empty(), List.of(contenders), List.of(), true);
    }

    /** A case that runs once in each round, and whose cost is what a counter of the benchmark says. */
    static MicroCase counted(String name, String counter, MicroContender... contenders) {
        return counted(name, counter, counter, contenders);
    }

    /** As {@link #counted(String, String, MicroContender...)}, for a counter whose name is not its unit. */
    static MicroCase counted(String name, String unit, String counter, MicroContender... contenders) {
        return new MicroCase(name, unit, Optional.of(counter), List.of(contenders), List.of(), true);
    }

    MicroCase claim(String contender, String rival, Wanted wanted) {
        List<Claim> more = new ArrayList<>(claims);
        more.add(new Claim(name, contender, rival, wanted));
        return new MicroCase(name, unit, counter, contenders, more, inQuick);
    }

    /** This case, for a full run only. */
    MicroCase leftOutOfQuick() {
        return new MicroCase(name, unit, counter, contenders, claims, false);
    }

    /** This case with Skein and those rivals only, and the claims that are left. */
    MicroCase against(List<String> rivals) {
        List<MicroContender> left = contenders.stream()
                .filter(contender -> !isRival(contender.label()) || rivals.contains(contender.label()))
                .toList();
        List<String> labels = left.stream().map(MicroContender::label).toList();
        List<Claim> about =
                claims.stream().filter(claim -> labels.contains(claim.rival())).toList();
        return new MicroCase(name, unit, counter, left, about, inQuick);
    }

    /** This case with those claims only that may be missed, and those contenders only that they are about. */
    MicroCase judged() {
        List<Claim> bounded = claims.stream()
                .filter(claim -> claim.wanted().bound().isPresent())
                .toList();
        List<MicroContender> about = contenders.stream()
                .filter(contender -> bounded.stream()
                        .anyMatch(claim ->
                                List.of(claim.contender(), claim.rival()).contains(contender.label())))
                .toList();
        return new MicroCase(name, unit, counter, about, bounded, inQuick);
    }

    /** Those whom something is claimed over, and nothing about. */
    List<String> rivals() {
        return contenders.stream()
                .map(MicroContender::label)
                .filter(this::isRival)
                .toList();
    }

    private boolean isRival(String label) {
        return claims.stream().noneMatch(claim -> claim.contender().equals(label)) && !label.startsWith(OURS);
    }
}
