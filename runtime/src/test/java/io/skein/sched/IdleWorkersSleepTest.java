package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.Await;
import io.skein.DriverKind;
import io.skein.LeakCheck;
import io.skein.Scheduling;
import io.skein.Setup;
import io.skein.Skein;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Workers with nothing to do make no voluntary context switch for five seconds, whatever the driver and the mode. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
@SuppressWarnings("ThreadPriorityCheck") // Yielding is what coroutines do.
class IdleWorkersSleepTest {
    private static final String WORKER = "skein-test-work"; // The kernel keeps 15 characters.
    private static final String WATCHDOG = "skein-test-watc";

    @Test
    void forFiveSecondsNoThreadOfAnIdleRuntimeIsScheduled() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/self/task")), "no /proc here to ask");
        List<Skein> runtimes = new ArrayList<>();
        try {
            for (DriverKind driver : List.of(DriverKind.AUTO, DriverKind.NIO)) {
                for (Scheduling scheduling : Scheduling.values()) {
                    runtimes.add(startAndUse(driver, scheduling));
                }
            }
            runtimes.forEach(FreeWorkers::await);

            // The watchdog goes to sleep a look or two after the workers, on a busy machine later.
            Await.until("five seconds without a context switch", () -> {
                List<String> before = switches();
                assertThat(before).hasSize(4 * 2 + 4);
                new CountDownLatch(1).await(5, TimeUnit.SECONDS); // The length of the measurement.
                return switches().equals(before);
            });
        } finally {
            runtimes.forEach(Skein::close);
        }
    }

    private static Skein startAndUse(DriverKind driver, Scheduling scheduling) throws InterruptedException {
        Skein skein = new Setup(driver, 2, 0)
                .builder()
                .scheduling(scheduling)
                .name("skein-test")
                .watchdog(Duration.ofMillis(50))
                .start();
        skein.blockOn(() -> {
            Thread.yield();
            skein.spawn(() -> Thread.sleep(1)).join();
        });
        return skein;
    }

    private static List<String> switches() throws IOException {
        List<String> switches = new ArrayList<>(FreeWorkers.status(WORKER, "voluntary_ctxt_switches"));
        switches.addAll(FreeWorkers.status(WATCHDOG, "voluntary_ctxt_switches"));
        return switches;
    }
}
