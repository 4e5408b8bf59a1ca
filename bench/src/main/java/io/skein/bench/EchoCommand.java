package io.skein.bench;

import io.skein.bench.report.EchoJson;
import io.skein.bench.report.EchoText;
import io.skein.bench.report.Round;
import io.skein.bench.server.Contender;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code ./skein bench echo}: options in, table and JSON out. */
@Command(
        name = "echo",
        description = "TCP echo on loopback: Skein beside JDK virtual threads and Netty.",
        showDefaultValues = true,
        sortOptions = false)
@SuppressWarnings("NullAway.Init") // picocli sets the options before call()
final class EchoCommand implements Callable<Integer> {
    private static final int MOST_CONNECTIONS = 10_000;
    private static final int LARGEST_SIZE = 65_536;
    private static final int QUICK_ROUNDS = 3;
    private static final Duration QUICK_WINDOW = Duration.ofSeconds(1);

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--connections",
            split = ",",
            paramLabel = "N",
            defaultValue = "100",
            description = "Open connections, each with one request under way; a list is measured one by one.")
    private List<Integer> connections;

    @Option(names = "--size", paramLabel = "BYTES", defaultValue = "1024", description = "Bytes of a request.")
    private int size;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "5", description = "Rounds of each server.")
    private int rounds;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "3", description = "Measured time of a round.")
    private double seconds;

    @Option(names = "--warmup", paramLabel = "S", defaultValue = "3", description = "Load before the first round.")
    private double warmup;

    @Option(
            names = "--against",
            split = ",",
            paramLabel = "RIVAL",
            converter = Rival.class,
            defaultValue = "jdk,netty-io_uring,netty-epoll",
            description = "The rivals.")
    private List<Contender> against;

    @Option(names = "--quick", description = "Three rounds of one second: a first impression, not a result.")
    private boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "Write all rounds, medians and ratios to FILE.")
    private @Nullable Path json;

    @Override
    public Integer call() throws BenchException, InterruptedException {
        EchoPlan plan = plan();
        new OptionRules(spec).requireNoDirectory("--json", json);
        PrintWriter out = spec.commandLine().getOut();
        EchoOutcome outcome = new EchoSuite(plan, out).run();
        outcome.comparisons().forEach(comparison -> out.println(EchoText.render(comparison)));
        long disturbed = outcome.rounds().stream().filter(Round::disturbed).count();
        if (disturbed > 0) {
            out.printf(
                    "In %d of %d rounds others took more than a tenth of a core: measure again on a quiet machine.%n",
                    disturbed, outcome.rounds().size());
        } else if (!outcome.repeated().isEmpty()) {
            out.printf(
                    "%d rounds in which others took more than a tenth of a core were driven again and do not count.%n",
                    outcome.repeated().size());
        }
        if (json != null) {
            FigureFile.write(
                    json,
                    EchoJson.render(outcome.setup(), outcome.comparisons(), outcome.rounds(), outcome.repeated()));
            out.println("all rounds are in " + json);
        }
        return ExitCode.OK;
    }

    /** The options as a plan, or a {@link CommandLine.ParameterException} with one sentence. */
    EchoPlan plan() {
        OptionRules rules = new OptionRules(spec);
        connections.forEach(count -> rules.requireRange("--connections", count, 1, MOST_CONNECTIONS));
        rules.requireRange("--size", size, 1, LARGEST_SIZE);
        rules.requireRange("--rounds", rounds, 1, 1000);
        rules.requireRange("--seconds", seconds, 0.1, 3600);
        rules.requireRange("--warmup", warmup, 0, 3600);
        List<Contender> contenders = new ArrayList<>(List.of(Contender.SKEIN));
        against.stream().distinct().forEach(contenders::add);
        return new EchoPlan(
                connections.stream().distinct().toList(),
                size,
                quick ? QUICK_ROUNDS : rounds,
                quick ? QUICK_WINDOW : OptionRules.duration(seconds),
                quick ? QUICK_WINDOW : OptionRules.duration(warmup),
                List.copyOf(contenders));
    }

    private static final class Rival implements ITypeConverter<Contender> {
        @Override
        public Contender convert(String label) {
            return Contender.labelled(label)
                    .filter(contender -> contender != Contender.SKEIN)
                    .orElseThrow(() -> new TypeConversionException(
                            "'" + label + "' is no rival; there are " + Contender.labels(Contender.rivals())));
        }
    }
}
