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

    MicroSuite only(List<String> names) {
        return new MicroSuite(
                name,
                description,
                cases.stream().filter(each -> names.contains(each.name())).toList());
    }
}
