package io.skein.bench;

import io.skein.bench.report.SuiteReport;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code ./skein bench all}: one suite after the other, with the options that all of them have. */
@Command(name = "all", description = "All suites, one after the other.", sortOptions = false)
final class AllCommand extends SuiteCommand {
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
    void check() {}

    @Override
    List<SuiteReport> measure(Profile profile, PrintWriter out) throws BenchException {
        List<SuiteReport> reports = new ArrayList<>();
        for (SuiteCommand suite : suites()) {
            suite.quick = quick;
            suite.against = against.stream().filter(suite.rivals()::contains).toList();
            if (against.isEmpty() || !suite.against.isEmpty()) {
                reports.addAll(suite.measure(profile, out));
            }
        }
        return reports;
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
