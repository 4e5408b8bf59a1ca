package io.skein.bench;

import io.skein.bench.load.Scenario;
import io.skein.bench.load.Traffic;
import io.skein.bench.report.SuiteReport;
import io.skein.bench.server.Contender;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./skein bench net}: streams, echoes of several sizes, short connections, datagrams, TLS. */
@Command(
        name = "net",
        description = "Streams, echoes, short connections, datagrams, TLS: Skein beside the JDK and Netty.",
        showDefaultValues = true,
        sortOptions = false)
@SuppressWarnings("NullAway.Init") // picocli sets the options before call()
final class NetCommand extends SuiteCommand {
    private static final List<String> RIVALS = List.of("jdk", "netty-io_uring", "netty-epoll");
    private static final int SMALL = 128;
    private static final int MEDIUM = 1024;
    private static final int LARGE = 16_384;
    private static final int STREAMED = 65_536;
    private static final int QUICK_ROUNDS = 3;
    private static final Duration QUICK_WINDOW = Duration.ofMillis(500);

    @Option(
            names = "--case",
            split = ",",
            showDefaultValue = CommandLine.Help.Visibility.NEVER,
            paramLabel = "TRAFFIC",
            description = "Only this: ${COMPLETION-CANDIDATES}.")
    private List<Traffic> only = new ArrayList<>();

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "5", description = "Rounds of each server.")
    private int rounds;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "2", description = "Measured time of a round.")
    private double seconds;

    @Option(names = "--warmup", paramLabel = "S", defaultValue = "2", description = "Load before the first round.")
    private double warmup;

    /** All that serve more than echoes. */
    @Override
    List<String> rivals() {
        return Contender.rivals().stream()
                .filter(Contender::isJava)
                .map(Contender::label)
                .toList();
    }

    @Override
    List<String> profiles() {
        return Contenders.profiled();
    }

    @Override
    void check() {
        plan();
    }

    @Override
    List<SuiteReport> measure(Profile profile, PrintWriter out) throws BenchException {
        SuiteReport report = new LoadSuite(plan(), profile, out).run();
        out.println(report.text());
        return List.of(report);
    }

    /** The options as a plan, or a {@link CommandLine.ParameterException} with one sentence. */
    LoadPlan plan() {
        OptionRules rules = new OptionRules(spec);
        rules.requireRange("--rounds", rounds, 1, 1000);
        rules.requireRange("--seconds", seconds, 0.1, 3600);
        rules.requireRange("--warmup", warmup, 0, 3600);
        List<Scenario> scenarios = (quick ? fewScenarios() : allScenarios())
                .stream()
                        .filter(scenario -> only.isEmpty() || only.contains(scenario.traffic()))
                        .toList();
        return new LoadPlan(
                "net",
                scenarios,
                quick ? QUICK_ROUNDS : rounds,
                quick ? QUICK_WINDOW : OptionRules.duration(seconds),
                quick ? QUICK_WINDOW : OptionRules.duration(warmup),
                OptionRules.repeats(quick),
                Contenders.skeinAnd(against.isEmpty() ? RIVALS : against));
    }

    private static List<Scenario> fewScenarios() {
        return List.of(
                Scenario.closedLoop(Traffic.STREAM, 1, STREAMED),
                Scenario.closedLoop(Traffic.PING_PONG, 10, SMALL),
                Scenario.closedLoop(Traffic.PING_PONG, 100, LARGE),
                Scenario.closedLoop(Traffic.CHURN, 10, SMALL),
                Scenario.closedLoop(Traffic.DATAGRAMS, 100, SMALL),
                Scenario.closedLoop(Traffic.TLS, 10, MEDIUM));
    }

    private static List<Scenario> allScenarios() {
        List<Scenario> scenarios = new ArrayList<>();
        scenarios.add(Scenario.closedLoop(Traffic.STREAM, 1, STREAMED));
        scenarios.add(Scenario.closedLoop(Traffic.STREAM, 10, STREAMED));
        for (int size : new int[] {SMALL, MEDIUM, LARGE}) {
            for (int connections : new int[] {1, 10, 100, 1000}) {
                scenarios.add(Scenario.closedLoop(Traffic.PING_PONG, connections, size));
            }
        }
        scenarios.add(Scenario.closedLoop(Traffic.CHURN, 10, SMALL));
        scenarios.add(Scenario.closedLoop(Traffic.DATAGRAMS, 1, SMALL));
        scenarios.add(Scenario.closedLoop(Traffic.DATAGRAMS, 100, SMALL));
        scenarios.add(Scenario.closedLoop(Traffic.DATAGRAMS, 100, MEDIUM));
        scenarios.add(Scenario.closedLoop(Traffic.TLS, 10, MEDIUM));
        scenarios.add(Scenario.closedLoop(Traffic.TLS, 10, LARGE));
        return scenarios;
    }
}
