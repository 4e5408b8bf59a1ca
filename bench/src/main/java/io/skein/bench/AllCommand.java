package io.skein.bench;

import io.skein.bench.report.SuiteReport;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/** {@code ./skein bench all}: one suite after the other, with the options that all of them have. */
@Command(
        name = "all",
        description = "All suites, one after the other; the page is skein-bench.html unless --html names another.",
        sortOptions = false)
final class AllCommand extends SuiteCommand {
    private static final Path PAGE = Path.of("skein-bench.html");

    private boolean failed;

    @Override
    List<String> rivals() {
        return suites().stream()
                .flatMap(suite -> suite.rivals().stream())
                .distinct()
                .toList();
    }

    @Override
    List<String> profiles() {
        return suites().stream()
                .flatMap(suite -> suite.profiles().stream())
                .distinct()
                .toList();
    }

    @Override
    void check() {
        if (html == null) {
            html = PAGE;
        }
    }

    @Override
    Duration estimate() {
        return chosen().stream().map(SuiteCommand::estimate).reduce(Duration.ZERO, Duration::plus);
    }

    /** A suite that breaks down does not take what the others found with it. */
    @Override
    List<SuiteReport> measure(Profile profile, PrintWriter out) {
        List<SuiteCommand> chosen = chosen();
        out.printf(
                "%d suites; about %d min%n",
                chosen.size(), estimate().plusSeconds(30).toMinutes());
        List<SuiteReport> reports = new ArrayList<>();
        for (SuiteCommand suite : chosen) {
            out.println();
            suite.leftOut().forEach(out::println);
            try {
                reports.addAll(suite.measure(profile, out));
            } catch (BenchException failure) {
                failed = true;
                out.println(suite.spec.name() + " broke down: " + failure.getMessage());
            }
        }
        return reports;
    }

    @Override
    int exitCode() {
        return failed ? ExitCode.SOFTWARE : ExitCode.OK;
    }

    /** Those that have one of the rivals, with the options of this command. */
    private List<SuiteCommand> chosen() {
        List<SuiteCommand> chosen = new ArrayList<>();
        for (SuiteCommand suite : suites()) {
            suite.quick = quick;
            suite.against = against.stream().filter(suite.rivals()::contains).toList();
            if (against.isEmpty() || !suite.against.isEmpty()) {
                chosen.add(suite);
            }
        }
        return chosen;
    }

    /** With the defaults of their options. */
    private static List<SuiteCommand> suites() {
        List<SuiteCommand> suites = new ArrayList<>();
        for (CommandLine suite : Main.suites()) {
            suite.parseArgs();
            suites.add(suite.getCommand());
        }
        return suites;
    }
}
