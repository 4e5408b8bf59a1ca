package io.skein.bench.report;

import io.skein.bench.load.LoadReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The comparison for programs: what was run and where, the medians, the ratios, and every single round. */
public final class LoadJson {
    private LoadJson() {}

    /**
     * The document.
     *
     * @param setup what was run and where, as the harness describes it
     * @param rounds what the medians were taken of
     * @param repeated rounds that were disturbed and do not count
     */
    static Map<String, Object> document(
            String suite,
            Map<String, Object> setup,
            List<Comparison> comparisons,
            Findings findings,
            List<Round> rounds,
            List<Round> repeated) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("suite", suite);
        document.put("setup", setup);
        document.put("claims", ClaimJson.of(findings));
        document.put("medians", comparisons.stream().map(LoadJson::comparison).toList());
        document.put("rounds", rounds.stream().map(LoadJson::round).toList());
        document.put("repeated", repeated.stream().map(LoadJson::round).toList());
        return document;
    }

    private static Map<String, Object> comparison(Comparison comparison) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("scenario", comparison.scenario().title());
        object.put("connections", comparison.scenario().connections());
        object.put("size", comparison.scenario().size());
        object.put("rate", comparison.scenario().rate());
        object.put(
                "servers", comparison.servers().stream().map(LoadJson::figures).toList());
        object.put(
                "skeinOver", comparison.ratios().stream().map(LoadJson::ratio).toList());
        return object;
    }

    private static Map<String, Object> figures(Figures figures) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("server", figures.server());
        object.put("perSecond", figures.requestsPerSecond().median());
        object.put("perSecondSpread", figures.requestsPerSecond().spread());
        object.put("p50Micros", figures.p50Micros().median());
        object.put("p99Micros", figures.p99Micros().median());
        object.put("serverCpuMicros", figures.serverCpuMicros().median());
        object.put("serverCpuMicrosSpread", figures.serverCpuMicros().spread());
        object.put("serverCpuShare", figures.serverCpuShare().median());
        object.put("clientCpuShare", figures.clientCpuShare().median());
        object.put("clientBound", figures.clientBound());
        return object;
    }

    private static Map<String, Object> ratio(Ratio ratio) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("rival", ratio.rival());
        object.put("throughput", ratio.throughput());
        object.put("cpu", ratio.cpu());
        object.put("p99", ratio.p99());
        object.put("behind", ratio.behind());
        object.put("noDifference", ratio.same());
        return object;
    }

    private static Map<String, Object> round(Round round) {
        LoadReport report = round.report();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("scenario", round.scenario().title());
        object.put("round", round.number());
        object.put("server", round.server());
        object.put("requests", report.requests());
        object.put("wallNanos", report.wall());
        object.put("p50Nanos", report.p50());
        object.put("p90Nanos", report.p90());
        object.put("p99Nanos", report.p99());
        object.put("p999Nanos", report.p999());
        object.put("worstNanos", report.worst());
        object.put("serverCpuNanos", report.serverCpu());
        object.put("clientCpuNanos", report.clientCpu());
        object.put("disturbance", round.disturbance());
        return object;
    }
}
