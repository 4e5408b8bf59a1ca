package io.skein.bench;

import io.skein.bench.report.Findings;
import io.skein.bench.report.MicroJson;
import io.skein.bench.report.MicroText;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command of any suite of small benchmarks: options in, table and JSON out. */
@Command(showDefaultValues = true, sortOptions = false)
@SuppressWarnings("NullAway.Init") // picocli sets the options before call()
final class MicroCommand implements Callable<Integer> {
    private static final int REPEATS = 3;
    private static final int QUICK_ROUNDS = 2;
    private static final Duration QUICK_WINDOW = Duration.ofMillis(300);
    private static final Duration QUICK_WARMUP = Duration.ofMillis(1600);

    private final MicroSuite suite;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--case",
            split = ",",
            showDefaultValue = CommandLine.Help.Visibility.NEVER,
            paramLabel = "CASE",
            description = "Measure this case only, or a list of cases.")
    private List<String> only = new ArrayList<>();

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "5", description = "JVMs of each contender.")
    private int rounds;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "1", description = "Measured time of a JVM.")
    private double seconds;

    @Option(names = "--warmup", paramLabel = "S", defaultValue = "3", description = "A JVM's time before that.")
    private double warmup;

    @Option(names = "--quick", description = "Two short rounds: a first impression, not a result.")
    private boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "Write all rounds, medians and ratios to FILE.")
    private @Nullable Path json;

    private MicroCommand(MicroSuite suite) {
        this.suite = suite;
    }

    static CommandLine commandLine(MicroSuite suite) {
        CommandLine command = new CommandLine(new MicroCommand(suite)).setCommandName(suite.name());
        command.getCommandSpec()
                .usageMessage()
                .description(suite.description())
                .footer("Cases: " + String.join(", ", suite.caseNames()));
        return command;
    }

    @Override
    public Integer call() throws BenchException {
        MicroPlan plan = plan();
        new OptionRules(spec).requireNoDirectory("--json", json);
        PrintWriter out = spec.commandLine().getOut();
        MicroRun run = new MicroRun(plan, out);
        Findings findings = run.run();
        out.println(MicroText.render(findings));
        if (run.disturbed() > 0) {
            out.printf(
                    "In %d JVMs that count others took more than a tenth of a core: measure again on a quiet machine.%n",
                    run.disturbed());
        } else if (!run.repeated().isEmpty()) {
            out.printf(
                    "%d JVMs in which others took more than a tenth of a core were run again and do not count.%n",
                    run.repeated().size());
        }
        if (json != null) {
            FigureFile.write(json, MicroJson.render(suite.name(), run.setup(), findings, run.repeated()));
            out.println("all rounds are in " + json);
        }
        return ExitCode.OK;
    }

    /** The options as a plan, or a {@link CommandLine.ParameterException} with one sentence. */
    MicroPlan plan() {
        OptionRules rules = new OptionRules(spec);
        rules.requireRange("--rounds", rounds, 1, 1000);
        rules.requireRange("--seconds", seconds, 0.1, 3600);
        rules.requireRange("--warmup", warmup, 0, 3600);
        for (String name : only) {
            if (!suite.caseNames().contains(name)) {
                throw rules.wrong("--case: there is no case '%s'; there are %s"
                        .formatted(name, String.join(", ", suite.caseNames())));
            }
        }
        return new MicroPlan(
                only.isEmpty() ? suite : suite.only(only),
                quick ? QUICK_ROUNDS : rounds,
                quick ? QUICK_WINDOW : OptionRules.duration(seconds),
                quick ? QUICK_WARMUP : OptionRules.duration(warmup),
                REPEATS);
    }
}
