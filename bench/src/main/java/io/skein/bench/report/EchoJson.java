package io.skein.bench.report;

import io.skein.bench.load.LoadReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The comparison for programs: what was run and where, the medians, the ratios, and every single round. */
public final class EchoJson {
    private EchoJson() {}

    /**
     * The document.
     *
     * @param setup what was run and where, as the harness describes it
     * @param rounds what the medians were taken of
     * @param repeated rounds that were disturbed and do not count
     */
    public static String render(
            Map<String, Object> setup, List<Comparison> comparisons, List<Round> rounds, List<Round> repeated) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("suite", "echo");
        document.put("setup", setup);
        document.put("medians", comparisons.stream().map(EchoJson::comparison).toList());
        document.put("rounds", rounds.stream().map(EchoJson::round).toList());
        document.put("repeated", repeated.stream().map(EchoJson::round).toList());
        return Json.of(document);
    }

    private static Map<String, Object> comparison(Comparison comparison) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("connections", comparison.connections());
        object.put(
                "servers", comparison.servers().stream().map(EchoJson::figures).toList());
        object.put(
                "skeinOver", comparison.ratios().stream().map(EchoJson::ratio).toList());
        return object;
    }

    private static Map<String, Object> figures(Figures figures) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("server", figures.server());
        object.put("requestsPerSecond", figures.requestsPerSecond().median());
        object.put("requestsPerSecondSpread", figures.requestsPerSecond().spread());
        object.put("p50Micros", figures.p50Micros().median());
        object.put("p99Micros", figures.p99Micros().median());
        object.put("serverCpuMicrosPerRequest", figures.serverCpuMicros().median());
        object.put("serverCpuMicrosPerRequestSpread", figures.serverCpuMicros().spread());
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
        return object;
    }

    private static Map<String, Object> round(Round round) {
        LoadReport report = round.report();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("connections", round.connections());
        object.put("round", round.number());
        object.put("server", round.server());
        object.put("requests", report.requests());
        object.put("wallNanos", report.wall());
        object.put("p50Nanos", report.p50());
        object.put("p99Nanos", report.p99());
        object.put("worstNanos", report.worst());
        object.put("serverCpuNanos", report.serverCpu());
        object.put("clientCpuNanos", report.clientCpu());
        object.put("disturbance", round.disturbance());
        return object;
    }
}
