package io.skein.bench;

import io.skein.bench.load.Scenario;
import io.skein.bench.report.Precision;
import io.skein.bench.report.SuiteReport;
import io.skein.bench.server.Contender;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** What the commands of all suites of servers under load share; they differ in their scenarios and rivals. */
@SuppressWarnings("NullAway.Init") // picocli sets the options before call()
abstract class ServersCommand extends SuiteCommand {
    private static final Duration RAMP = Duration.ofMillis(300);

    /** Many short rounds, because it takes five to say what is no difference. */
    private static final LoadPlan.Effort QUICK = new LoadPlan.Effort(
            5,
            Duration.ofMillis(300),
            Duration.ofMillis(450),
            Duration.ofMillis(300),
            Duration.ofMillis(100),
            OptionRules.repeats(true));

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "5", description = "Rounds of each server.")
    private int rounds;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "1", description = "Measured time of a round.")
    private double seconds;

    @Option(
            names = "--warmup",
            paramLabel = "S",
            defaultValue = "1",
            description = "Load before the first round of a scenario; six times that more for a server just started.")
    private double warmup;

    /** What is measured; wrong options are refused. */
    abstract List<Scenario> scenarios(OptionRules rules);

    /** The rivals, unless others are named. */
    abstract List<String> usualRivals();

    @Override
    final List<String> profiles() {
        return Contenders.profiled();
    }

    @Override
    final void check() {
        plan();
    }

    @Override
    final Duration estimate() {
        return plan().estimate();
    }

    @Override
    final List<SuiteReport> measure(Profile profile, PrintWriter out) throws BenchException {
        LoadPlan plan = plan();
        if (plan.scenarios().isEmpty()) {
            return List.of();
        }
        SuiteReport report = new LoadSuite(plan, profile, out).run();
        out.println(report.text());
        return List.of(report);
    }

    /** The options as a plan, or a {@link CommandLine.ParameterException} with one sentence. */
    final LoadPlan plan() {
        OptionRules rules = new OptionRules(spec);
        rules.requireRange("--rounds", rounds, 1, 1000);
        rules.requireRange("--seconds", seconds, 0.1, 3600);
        rules.requireRange("--warmup", warmup, 0, 3600);
        LoadPlan.Effort full = new LoadPlan.Effort(
                rounds,
                OptionRules.duration(seconds),
                OptionRules.duration(warmup),
                OptionRules.duration(warmup),
                RAMP,
                OptionRules.repeats(false));
        return new LoadPlan(
                spec.name(),
                scenarios(rules),
                quick ? QUICK : full,
                quick ? Precision.QUICK : Precision.FULL,
                Contenders.skeinAnd(against.isEmpty() ? usualRivals() : against));
    }

    /** For suites in which servers do more than echo. */
    static List<String> javaRivals() {
        return Contender.rivals().stream()
                .filter(Contender::isJava)
                .map(Contender::label)
                .toList();
    }
}
