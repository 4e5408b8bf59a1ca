package io.skein.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a suite of small benchmarks found, for programs: where, the medians, the claims, and every single round. */
public final class MicroJson {
    private MicroJson() {}

    /**
     * The document.
     *
     * @param setup what was run and where, as the harness describes it
     * @param repeated samples that were disturbed and do not count
     */
    public static Map<String, Object> document(
            String suite, Map<String, Object> setup, Findings findings, List<Sample> repeated) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("suite", suite);
        document.put("setup", setup);
        document.put(
                "claims", findings.worstFirst().stream().map(MicroJson::claim).toList());
        document.put(
                "medians",
                findings.samples().values().stream().map(MicroJson::median).toList());
        document.put(
                "rounds",
                findings.samples().values().stream()
                        .flatMap(List::stream)
                        .map(MicroJson::sample)
                        .toList());
        document.put("repeated", repeated.stream().map(MicroJson::sample).toList());
        return document;
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
            object.put("holds", !finding.missed());
        });
        object.put("verdict", finding.verdict().name().toLowerCase(Locale.ROOT).replace('_', ' '));
        return object;
    }

    private static Map<String, Object> median(List<Sample> samples) {
        Series costs = Series.of(samples, Sample::cost);
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("case", samples.getFirst().subject());
        object.put("contender", samples.getFirst().contender());
        object.put("cost", costs.median());
        object.put("unit", samples.getFirst().unit());
        object.put("spread", costs.spread());
        return object;
    }

    private static Map<String, Object> sample(Sample sample) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("case", sample.subject());
        object.put("contender", sample.contender());
        object.put("round", sample.round());
        object.put("cost", sample.cost());
        object.put("unit", sample.unit());
        object.put("disturbance", sample.disturbance());
        return object;
    }
}
