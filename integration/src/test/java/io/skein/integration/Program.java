package io.skein.integration;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds programs of the machine. */
final class Program {
    private static final Path POSTGRES_VERSIONS = Path.of("/usr/lib/postgresql");
    private static final List<String> USUAL_PLACES =
            List.of("/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/usr/pgsql/bin");

    private Program() {}

    /** Where the program is; ends the test as skipped where it is not to be found. */
    static Path assumed(String name) {
        Optional<Path> found = find(name);
        assumeTrue(
                found.isPresent(), () -> name + " is not installed here, neither on the PATH nor in the usual places");
        return found.orElseThrow();
    }

    static Optional<Path> find(String name) {
        List<Path> places = new ArrayList<>();
        Arrays.stream(Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator))
                .filter(place -> !place.isEmpty())
                .map(Path::of)
                .forEach(places::add);
        USUAL_PLACES.stream().map(Path::of).forEach(places::add);
        places.addAll(postgresPlaces());
        return places.stream()
                .map(place -> place.resolve(name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The newest version first. */
    private static List<Path> postgresPlaces() {
        if (!Files.isDirectory(POSTGRES_VERSIONS)) {
            return List.of();
        }
        try (Stream<Path> versions = Files.list(POSTGRES_VERSIONS)) {
            return versions.filter(version -> version.getFileName().toString().matches("\\d+"))
                    .sorted(Comparator.comparingInt((Path version) ->
                                    Integer.parseInt(version.getFileName().toString()))
                            .reversed())
                    .map(version -> version.resolve("bin"))
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
