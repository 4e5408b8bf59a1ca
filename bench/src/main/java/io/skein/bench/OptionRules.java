package io.skein.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What the options of all suites have to keep to; whatever does not is refused with one sentence. */
record OptionRules(CommandSpec spec) {
    private static final int REPEATS = 3;
    private static final int QUICK_REPEATS = 1;

    /** How often what was disturbed is measured again. */
    static int repeats(boolean quick) {
        return quick ? QUICK_REPEATS : REPEATS;
    }

    void requireRange(String option, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw wrong("%s must be from %s to %s, not %s".formatted(option, plain(least), plain(most), plain(value)));
        }
    }

    void requireKnown(String option, String what, List<String> given, List<String> known) {
        for (String name : given) {
            if (!known.contains(name)) {
                throw wrong("%s: '%s' is no %s; there are %s".formatted(option, name, what, String.join(", ", known)));
            }
        }
    }

    /** What a run of minutes is to be written to should not turn out a directory at its end. */
    void requireNoDirectory(String option, @Nullable Path file) {
        if (file != null && Files.isDirectory(file)) {
            throw wrong(option + ": " + file + " is a directory");
        }
    }

    ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }

    static Duration duration(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? Long.toString(Math.round(value)) : Double.toString(value);
    }
}
