package io.skein.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
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
        document.put("claims", ClaimJson.of(findings));
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
