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

/** {@code ./skein bench echo}: TCP echo, in a closed loop and at a fixed rate. */
@Command(
        name = "echo",
        description = "TCP echo on loopback: Skein beside JDK virtual threads, Netty and plain C.",
        showDefaultValues = true,
        sortOptions = false)
@SuppressWarnings("NullAway.Init") // picocli sets the options before call()
final class EchoCommand extends SuiteCommand {
    private static final int MOST_CONNECTIONS = 10_000;
    private static final int LARGEST_SIZE = 65_536;
    private static final int MOST_PER_SECOND = 10_000_000;
    private static final int QUICK_ROUNDS = 3;
    private static final Duration QUICK_WINDOW = Duration.ofSeconds(1);

    @Option(
            names = "--connections",
            split = ",",
            paramLabel = "N",
            defaultValue = "100",
            description = "Open connections, each with one request under way; a list is measured one by one.")
    private List<Integer> connections;

    @Option(names = "--size", paramLabel = "BYTES", defaultValue = "1024", description = "Bytes of a request.")
    private int size;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Requests per second for the latency at a fixed rate, with the last number of connections;"
                    + " 0 for none.")
    private int rate;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "5", description = "Rounds of each server.")
    private int rounds;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "3", description = "Measured time of a round.")
    private double seconds;

    @Option(names = "--warmup", paramLabel = "S", defaultValue = "3", description = "Load before the first round.")
    private double warmup;

    @Override
    List<String> rivals() {
        return Contender.rivals().stream().map(Contender::label).toList();
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
        connections.forEach(count -> rules.requireRange("--connections", count, 1, MOST_CONNECTIONS));
        rules.requireRange("--size", size, 1, LARGEST_SIZE);
        rules.requireRange("--rate", rate, 0, MOST_PER_SECOND);
        rules.requireRange("--rounds", rounds, 1, 1000);
        rules.requireRange("--seconds", seconds, 0.1, 3600);
        rules.requireRange("--warmup", warmup, 0, 3600);
        List<Scenario> scenarios = new ArrayList<>(connections.stream()
                .distinct()
                .map(count -> Scenario.closedLoop(Traffic.PING_PONG, count, size))
                .toList());
        if (rate > 0) {
            scenarios.add(new Scenario(Traffic.PING_PONG, connections.getLast(), size, rate));
        }
        return new LoadPlan(
                "echo",
                scenarios,
                quick ? QUICK_ROUNDS : rounds,
                quick ? QUICK_WINDOW : OptionRules.duration(seconds),
                quick ? QUICK_WINDOW : OptionRules.duration(warmup),
                OptionRules.repeats(quick),
                Contenders.skeinAnd(against.isEmpty() ? rivals() : against));
    }
}
