package io.skein.bench;

import io.skein.bench.report.FlameGraph;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Where the time of one server or case goes: its JVMs are recorded by the JDK's flight recorder, and at the end their
 * stacks become a flame graph. Recording costs a little, so its figures are not those of a run without.
 */
final class Profile implements AutoCloseable {
    private static final String CPU_TIME = "jdk.CPUTimeSample";
    private static final String EXECUTION = "jdk.ExecutionSample";
    private static final int MOST_FRAMES = 20;

    private final @Nullable String name;
    private final @Nullable Path folder;

    private Profile(@Nullable String name, @Nullable Path folder) {
        this.name = name;
        this.folder = folder;
    }

    /** @param name of nothing if null */
    static Profile of(@Nullable String name) throws BenchException {
        try {
            return new Profile(name, name == null ? null : Files.createTempDirectory("skein-profile"));
        } catch (IOException failure) {
            throw new BenchException("no room for recordings: " + failure, failure);
        }
    }

    /** What the JVM of {@code subject} gets, if that is what is recorded. */
    List<String> flags(String subject) {
        if (!subject.equals(name)) {
            return List.of();
        }
        return List.of(
                "-XX:StartFlightRecording:dumponexit=true,settings=profile,%s#enabled=true,%s#throttle=500/s,filename=%s/%%p.jfr"
                        .formatted(CPU_TIME, CPU_TIME, folder),
                "-Xlog:jfr*=off",
                "-Xlog:jfr+startup=off");
    }

    /** Writes the graph and names the most frequent frames; says nothing where nothing was asked for. */
    void tell(PrintWriter out) throws BenchException {
        if (name == null || folder == null) {
            return;
        }
        FlameGraph graph = new FlameGraph(name);
        try (Stream<Path> recordings = Files.list(folder)) {
            for (Path recording : recordings.sorted().toList()) {
                read(recording, graph);
            }
        } catch (IOException failure) {
            throw new BenchException("the recordings cannot be read: " + failure, failure);
        }
        Path file = Path.of(name.replaceAll("[^A-Za-z0-9._-]+", "-") + ".svg");
        FigureFile.write(file, graph.svg());
        out.printf("%d stacks of %s are in %s; most often on top:%n", graph.count(), name, file);
        graph.top(MOST_FRAMES).forEach(out::println);
    }

    /** Samples of CPU time where this JDK takes them, because they see system calls too. */
    private static void read(Path recording, FlameGraph graph) throws IOException {
        FlameGraph executions = new FlameGraph("");
        long before = graph.count();
        try (RecordingFile events = new RecordingFile(recording)) {
            while (events.hasMoreEvents()) {
                var event = events.readEvent();
                String type = event.getEventType().getName();
                if (type.equals(CPU_TIME)) {
                    graph.add(event.getStackTrace());
                } else if (type.equals(EXECUTION)) {
                    executions.add(event.getStackTrace());
                }
            }
        }
        if (graph.count() == before) {
            graph.addAll(executions);
        }
    }

    @Override
    public void close() throws BenchException {
        if (folder == null) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (IOException failure) {
            throw new BenchException("recordings are left in " + folder + ": " + failure, failure);
        }
    }
}
