package io.skein.bench.load;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The programs of this machine that the bench can do without. */
public final class Programs {
    private static final Pattern COLON = Pattern.compile(":");
    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final Path POSTGRES = Path.of("/usr/lib/postgresql");

    private Programs() {}

    /** Whether there is such a program on the path, or where Debian has PostgreSQL's. */
    public static boolean haveOne(String name) {
        return find(name).isPresent();
    }

    static Optional<Path> find(String name) {
        String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
        Stream<Path> usual =
                COLON.splitAsStream(path).filter(folder -> !folder.isEmpty()).map(Path::of);
        return Stream.concat(usual, ofPostgres())
                .map(folder -> folder.resolve(name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Those of the newest version first. */
    private static Stream<Path> ofPostgres() {
        String[] versions = Objects.requireNonNullElse(POSTGRES.toFile().list(), new String[0]);
        return Arrays.stream(versions)
                .filter(version -> NUMBER.matcher(version).matches())
                .sorted(Comparator.<String>comparingInt(Integer::parseInt).reversed())
                .map(version -> POSTGRES.resolve(version).resolve("bin"));
    }
}
