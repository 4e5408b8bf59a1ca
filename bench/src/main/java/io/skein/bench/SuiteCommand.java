package io.skein.bench;

import io.skein.bench.report.HtmlPage;
import io.skein.bench.report.Markdown;
import io.skein.bench.report.SuiteReport;
import io.skein.bench.report.Summary;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What the commands of all suites share: the options that each has, and what becomes of the figures. */
@SuppressWarnings("NullAway.Init") // picocli sets the options before call()
abstract class SuiteCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Option(
            names = "--against",
            split = ",",
            showDefaultValue = CommandLine.Help.Visibility.NEVER,
            paramLabel = "RIVAL",
            description = "The rivals; all of them unless some are named.")
    List<String> against = new ArrayList<>();

    @Option(names = "--quick", description = "A minute or two: short rounds, fewer cases and rivals.")
    boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "Write all rounds, medians and ratios to FILE.")
    private @Nullable Path json;

    @Option(names = "--html", paramLabel = "FILE", description = "Write a page with charts to FILE.")
    @Nullable
    Path html;

    @Option(
            names = "--markdown",
            paramLabel = "FILE",
            description = "Write tables to FILE; where it has a part for figures, only that is replaced.")
    private @Nullable Path markdown;

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            description = "Record where this server, or Skein in this case, spends its time; write NAME.svg.")
    private @Nullable String profiled;

    /** Everyone that {@code --against} may name. */
    abstract List<String> rivals();

    /** Whatever {@code --profile} may name. */
    abstract List<String> profiles();

    /** Refuses wrong options, before anything is measured. */
    abstract void check();

    /** About how long it takes. */
    abstract Duration estimate();

    /** What this machine cannot measure, in a sentence each. */
    List<String> leftOut() {
        return List.of();
    }

    abstract List<SuiteReport> measure(Profile profile, PrintWriter out) throws BenchException;

    @Override
    public final Integer call() throws BenchException {
        check();
        OptionRules rules = new OptionRules(spec);
        rules.requireNoDirectory("--json", json);
        rules.requireNoDirectory("--html", html);
        rules.requireNoDirectory("--markdown", markdown);
        rules.requireKnown("--against", "rival", against, rivals());
        if (profiled != null) {
            rules.requireKnown("--profile", "server or case here", List.of(profiled), profiles());
        }
        PrintWriter out = spec.commandLine().getOut();
        try (Profile profile = Profile.of(profiled)) {
            long begun = System.nanoTime();
            leftOut().forEach(out::println);
            List<SuiteReport> reports = measure(profile, out);
            out.println(Summary.render(reports));
            out.printf(
                    "It took %d s.%n",
                    Duration.ofNanos(System.nanoTime() - begun).toSeconds());
            if (json != null) {
                FigureFile.write(json, SuiteReport.json(reports));
                out.println("all rounds are in " + json);
            }
            if (html != null) {
                FigureFile.write(html, HtmlPage.render(reports));
                out.println("the page is " + html);
            }
            if (markdown != null) {
                FigureFile.write(markdown, Markdown.into(FigureFile.textOf(markdown), reports));
                out.println("the tables are in " + markdown);
            }
            profile.tell(out);
        }
        return exitCode();
    }

    int exitCode() {
        return ExitCode.OK;
    }
}
