package io.skein;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A runtime without work sleeps, all of its threads: it neither spins nor wakes up to look. Read from the kernel's own
 * counters.
 */
@Setup.Each
@SuppressWarnings("ThreadPriorityCheck") // Yielding is what coroutines do.
class IdleTest extends RuntimeTest {
    private static final Duration WINDOW = Duration.ofMillis(300);

    IdleTest(Setup setup) {
        super(setup);
    }

    @Test
    void anIdleWorkerIsNeverScheduled() throws Exception {
        skein.blockOn(() -> {
            Thread.yield();
        });
        Await.until("the threads sleep", this::threadsSleep);

        long before = switches();
        new CountDownLatch(1).await(WINDOW.toMillis(), TimeUnit.MILLISECONDS); // The length of the measurement.

        assertThat(switches() - before)
                .as("context switches of idle threads")
                .isLessThanOrEqualTo(2L * setup.workers());
    }

    @Test
    void aWorkerWhoseCoroutinesAllWaitIsNeverScheduled() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Coroutine<?> waiter = skein.spawn(() -> release.await());
        Await.untilWaiting(waiter);
        Await.until("the threads sleep", this::threadsSleep);

        long before = switches();
        new CountDownLatch(1).await(WINDOW.toMillis(), TimeUnit.MILLISECONDS); // The length of the measurement.
        long after = switches();
        release.countDown();
        waiter.join();

        assertThat(after - before).as("context switches of idle threads").isLessThanOrEqualTo(2L * setup.workers());
    }

    private boolean threadsSleep() throws IOException {
        List<String> states = threadStatus("State:");
        return states.size() >= setup.workers() && states.stream().allMatch(state -> state.startsWith("S"));
    }

    private static long switches() throws IOException {
        return Stream.concat(
                        threadStatus("voluntary_ctxt_switches:").stream(),
                        threadStatus("nonvoluntary_ctxt_switches:").stream())
                .mapToLong(Long::parseLong)
                .sum();
    }

    /** The value of one line of the kernel's status of each thread of the runtime. */
    private static List<String> threadStatus(String key) throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            return tasks.map(task -> readLines(task.resolve("status")))
                    .filter(lines -> lines.stream().anyMatch(line -> line.startsWith("Name:\tskein-test-work")))
                    .flatMap(List::stream)
                    .filter(line -> line.startsWith(key))
                    .map(line -> line.substring(key.length()).strip())
                    .toList();
        }
    }

    private static List<String> readLines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException endedMeanwhile) {
            return List.of();
        }
    }
}
