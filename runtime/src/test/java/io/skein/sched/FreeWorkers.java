package io.skein.sched;

import io.skein.Await;
import io.skein.Skein;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The threads of the workers of runtimes named {@code skein-test}, as the kernel sees them. */
final class FreeWorkers {
    private FreeWorkers() {}

    /** Returns once no coroutine lives and every worker's thread sleeps. */
    static void await(Skein skein) {
        Await.until(
                "free workers",
                () -> skein.metrics().liveCoroutines() == 0
                        && status("skein-test-work", "State").stream().allMatch(state -> state.startsWith("S")));
    }

    /**
     * One line of the kernel's status of each thread whose name begins so.
     *
     * @param name at most 15 characters, for the kernel keeps no more
     */
    static List<String> status(String name, String key) throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            return tasks.map(task -> lines(task.resolve("status")))
                    .filter(lines -> lines.contains("Name:\t" + name))
                    .flatMap(List::stream)
                    .filter(line -> line.startsWith(key + ":"))
                    .map(line -> line.substring(key.length() + 1).strip())
                    .toList();
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException endedMeanwhile) {
            return List.of();
        }
    }
}
