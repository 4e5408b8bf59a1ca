package io.skein.bench;

import io.skein.bench.report.Claim;
import java.util.List;

/**
 * A suite of small benchmarks.
 *
 * @param name on the command line
 * @param description one sentence for people
 */
record MicroSuite(String name, String description, List<MicroCase> cases) {
    MicroSuite {
        cases = List.copyOf(cases);
    }

    List<String> caseNames() {
        return cases.stream().map(MicroCase::name).toList();
    }

    List<Claim> claims() {
        return cases.stream().flatMap(each -> each.claims().stream()).toList();
    }

    /** Everyone that Skein can be compared with in some case. */
    List<String> rivals() {
        return cases.stream().flatMap(each -> each.rivals().stream()).distinct().toList();
    }

    /** The suite with those rivals only; cases that have nobody else left go. */
    MicroSuite against(List<String> rivals) {
        return new MicroSuite(
                name,
                description,
                cases.stream()
                        .map(each -> each.against(rivals))
                        .filter(each -> !each.claims().isEmpty())
                        .toList());
    }

    /** What is enough for a first impression. */
    MicroSuite quick() {
        return new MicroSuite(
                name, description, cases.stream().filter(MicroCase::inQuick).toList());
    }

    /** Only those contenders of whom something is wanted. */
    MicroSuite judged() {
        return new MicroSuite(
                name,
                description,
                cases.stream()
                        .map(MicroCase::judged)
                        .filter(each -> !each.claims().isEmpty())
                        .toList());
    }

    MicroSuite only(List<String> names) {
        return new MicroSuite(
                name,
                description,
                cases.stream().filter(each -> names.contains(each.name())).toList());
    }
}
