package io.skein;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A worker without work sleeps: it neither spins nor wakes up to look. Read from the kernel's own counters. */
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
        Await.until("the workers sleep", this::workersSleep);

        awaitNoSwitches();
    }

    @Test
    void aWorkerWhoseCoroutinesAllWaitIsNeverScheduled() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Coroutine<?> waiter = skein.spawn(() -> release.await());
        Await.untilWaiting(waiter);
        Await.until("the workers sleep", this::workersSleep);

        awaitNoSwitches();

        release.countDown();
        waiter.join();
    }

    /** On a busy machine workers go to sleep late; once they sleep, a window passes without context switches. */
    private void awaitNoSwitches() {
        Await.until("a window without context switches", () -> {
            long before = switches();
            new CountDownLatch(1).await(WINDOW.toMillis(), TimeUnit.MILLISECONDS); // The length of the measurement.
            return switches() - before <= 2L * setup.workers();
        });
    }

    private boolean workersSleep() throws IOException {
        List<String> states = workerStatus("State:");
        return states.size() == setup.workers() && states.stream().allMatch(state -> state.startsWith("S"));
    }

    private static long switches() throws IOException {
        return Stream.concat(
                        workerStatus("voluntary_ctxt_switches:").stream(),
                        workerStatus("nonvoluntary_ctxt_switches:").stream())
                .mapToLong(Long::parseLong)
                .sum();
    }

    /** The value of one line of the kernel's status of each worker. */
    private static List<String> workerStatus(String key) throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            return tasks.filter(IdleTest::isWorker)
                    .flatMap(task -> lines(task.resolve("status")))
                    .filter(line -> line.startsWith(key))
                    .map(line -> line.substring(key.length()).strip())
                    .toList();
        }
    }

    private static boolean isWorker(Path task) {
        return lines(task.resolve("comm")).anyMatch(name -> name.startsWith("skein-test-work"));
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException endedMeanwhile) {
            return Stream.empty();
        }
    }
}
