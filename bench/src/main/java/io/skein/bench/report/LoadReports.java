package io.skein.bench.report;

import io.skein.bench.load.LoadReport;
import io.skein.bench.load.Scenario;
import io.skein.bench.load.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Rounds of servers under load in the form that all suites share: costs, claims and charts. */
public final class LoadReports {
    private static final String SKEIN = "skein";
    private static final List<String> PERCENTILES = List.of("50 %", "90 %", "99 %", "99.9 %", "worst");

    private LoadReports() {}

    /**
     * Puts a report together.
     *
     * @param servers the order in which they are listed
     * @param precision what the rounds are long enough to tell
     * @param wanted what is wanted of Skein's CPU per operation beside a rival's
     * @param wantedTime what is wanted of its time per operation in a closed loop, by which throughput is told
     */
    public static SuiteReport of(
            String suite,
            Map<String, Object> setup,
            List<String> servers,
            List<Round> rounds,
            List<Round> repeated,
            Precision precision,
            BiFunction<Scenario, String, Wanted> wanted,
            BiFunction<Scenario, String, Wanted> wantedTime) {
        List<Comparison> comparisons = Comparison.of(servers, rounds, precision);
        String text = comparisons.stream().map(LoadText::render).collect(Collectors.joining("\n"));
        List<Sample> samples = new ArrayList<>();
        List<Claim> claims = new ArrayList<>();
        List<Chart> latencies = new ArrayList<>();
        for (Comparison comparison : comparisons) {
            Scenario scenario = comparison.scenario();
            comparison
                    .servers()
                    .forEach(figures -> rounds.stream()
                            .filter(round -> round.scenario().equals(scenario))
                            .filter(round -> round.server().equals(figures.server()))
                            .forEach(round -> samples.addAll(samples(round))));
            comparison.servers().stream()
                    .map(Figures::server)
                    .filter(server -> !server.equals(SKEIN))
                    .forEach(rival -> claims.addAll(
                            claims(scenario, rival, wanted.apply(scenario, rival), wantedTime.apply(scenario, rival))));
            if (scenario.traffic() != Traffic.STREAM) {
                latencies.add(latencies(comparison, rounds));
            }
        }
        Scaling scaling = Scaling.of(rounds, precision);
        samples.addAll(scaling.samples());
        claims.addAll(scaling.claims());
        Findings findings = new Findings(samples, claims, precision);
        List<Chart> charts = new ArrayList<>(Curves.of(comparisons));
        charts.addAll(latencies);
        return new SuiteReport(
                suite,
                setup,
                text + scaling.text(),
                LoadJson.document(suite, setup, comparisons, findings, rounds, repeated),
                findings,
                charts);
    }

    private static List<Sample> samples(Round round) {
        Scenario scenario = round.scenario();
        String operation = "µs/" + scenario.traffic().operation();
        List<Sample> samples = new ArrayList<>();
        samples.add(sample(round, cpu(scenario), round.cpuMicros(), operation));
        if (!scenario.paced()) {
            samples.add(sample(round, time(scenario), 1e6 / round.perSecond(), operation));
        }
        if (scenario.traffic() != Traffic.STREAM) {
            samples.add(sample(round, p99(scenario), round.report().p99Micros(), "µs"));
        }
        return samples;
    }

    private static Sample sample(Round round, String subject, double cost, String unit) {
        return new Sample(
                subject, round.server(), round.number(), cost, unit, round.disturbance(), round.clientBound());
    }

    private static List<Claim> claims(Scenario scenario, String rival, Wanted cpu, Wanted time) {
        List<Claim> claims = new ArrayList<>();
        claims.add(new Claim(cpu(scenario), SKEIN, rival, cpu));
        if (!scenario.paced()) {
            claims.add(new Claim(time(scenario), SKEIN, rival, time));
        }
        if (scenario.traffic() != Traffic.STREAM) {
            claims.add(new Claim(p99(scenario), SKEIN, rival, Wanted.nothing()));
        }
        return claims;
    }

    private static String cpu(Scenario scenario) {
        return scenario.title() + ": CPU";
    }

    private static String time(Scenario scenario) {
        return scenario.title() + ": time";
    }

    private static String p99(Scenario scenario) {
        return scenario.title() + ": p99";
    }

    private static Chart latencies(Comparison comparison, List<Round> rounds) {
        List<ToDoubleFunction<LoadReport>> percentiles =
                List.of(LoadReport::p50, LoadReport::p90, LoadReport::p99, LoadReport::p999, LoadReport::worst);
        List<Chart.Line> lines = comparison.servers().stream()
                .map(Figures::server)
                .map(server -> {
                    List<LoadReport> reports = rounds.stream()
                            .filter(round -> round.scenario().equals(comparison.scenario()))
                            .filter(round -> round.server().equals(server))
                            .map(Round::report)
                            .toList();
                    return new Chart.Line(
                            server,
                            percentiles.stream()
                                    .map(percentile ->
                                            Series.of(reports, percentile).median() / 1e3)
                                    .toList());
                })
                .toList();
        return new Chart("Latency of " + comparison.scenario().title(), PERCENTILES, "µs", lines);
    }
}
