package io.skein.bench;

import io.skein.bench.report.Precision;
import io.skein.bench.report.SuiteReport;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command of any suite of small benchmarks. */
@Command(showDefaultValues = true, sortOptions = false)
@SuppressWarnings("NullAway.Init") // picocli sets the options before call()
final class MicroCommand extends SuiteCommand {
    private static final int QUICK_ROUNDS = 5;
    private static final Duration QUICK_WINDOW = Duration.ofMillis(200);
    private static final Duration QUICK_WARMUP = Duration.ofMillis(1700);

    private final MicroSuite suite;

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

    @Option(names = "--warmup", paramLabel = "S", defaultValue = "2", description = "A JVM's time before that.")
    private double warmup;

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
    List<String> rivals() {
        return suite.rivals();
    }

    @Override
    List<String> profiles() {
        return suite.caseNames();
    }

    @Override
    void check() {
        plan();
    }

    @Override
    Duration estimate() {
        return plan().estimate();
    }

    @Override
    List<SuiteReport> measure(Profile profile, PrintWriter out) throws BenchException {
        SuiteReport report = new MicroRun(plan(), profile, out).run();
        out.println(report.text());
        return List.of(report);
    }

    /** The options as a plan, or a {@link CommandLine.ParameterException} with one sentence. */
    MicroPlan plan() {
        OptionRules rules = new OptionRules(spec);
        rules.requireRange("--rounds", rounds, 1, 1000);
        rules.requireRange("--seconds", seconds, 0.1, 3600);
        rules.requireRange("--warmup", warmup, 0, 3600);
        rules.requireKnown("--case", "case", only, suite.caseNames());
        return new MicroPlan(
                cases(),
                quick ? QUICK_ROUNDS : rounds,
                quick ? QUICK_WINDOW : OptionRules.duration(seconds),
                quick ? QUICK_WARMUP : OptionRules.duration(warmup),
                OptionRules.repeats(quick),
                quick ? Precision.QUICK : Precision.FULL);
    }

    /** A case or a rival that is asked for by its name is measured even if it takes long. */
    private MicroSuite cases() {
        MicroSuite chosen = only.isEmpty() ? (quick ? suite.quick() : suite) : suite.only(only);
        if (!against.isEmpty()) {
            MicroSuite beside = chosen.against(against);
            return only.isEmpty() && beside.rivals().isEmpty() ? suite.against(against) : beside;
        }
        return quick ? chosen.judged() : chosen;
    }
}
