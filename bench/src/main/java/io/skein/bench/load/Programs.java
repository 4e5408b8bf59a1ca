package io.skein.bench.load;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Pattern;

/** The programs of this machine that the bench can do without. */
public final class Programs {
    private static final Pattern COLON = Pattern.compile(":");

    private Programs() {}

    /** Whether there is such a program on the path. */
    public static boolean haveOne(String name) {
        String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
        return COLON.splitAsStream(path).anyMatch(directory -> Files.isExecutable(Path.of(directory, name)));
    }
}
