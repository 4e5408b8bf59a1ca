package io.skein.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a suite's claims came to, for programs: two runs that agree have the same verdicts. */
final class ClaimJson {
    private ClaimJson() {}

    /** The worst for Skein first. */
    static List<Map<String, Object>> of(Findings findings) {
        return findings.worstFirst().stream().map(ClaimJson::claim).toList();
    }

    private static Map<String, Object> claim(Finding finding) {
        Claim claim = finding.claim();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("case", claim.subject());
        object.put("contender", claim.contender());
        object.put("over", claim.rival());
        if (claim.wanted().of() == Wanted.Of.EXTRA) {
            object.put("extra", finding.figure());
            object.put("unit", finding.unit());
        } else {
            object.put("ratioOf", claim.wanted().of().name().toLowerCase(Locale.ROOT));
            object.put("ratio", finding.figure());
        }
        object.put("spread", finding.spread());
        claim.wanted().bound().ifPresent(bound -> {
            object.put("wanted", bound);
            if (finding.judged()) {
                object.put("holds", !finding.missed());
            }
        });
        object.put("verdict", finding.verdict().name().toLowerCase(Locale.ROOT).replace('_', ' '));
        return object;
    }
}
