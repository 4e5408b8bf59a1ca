package io.skein.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Metrics;
import io.skein.RuntimeTest;
import io.skein.Setup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A timer that is far away costs nothing until then: no worker wakes up to look at it. */
@Setup.OnePerDriver
class IdleTimersTest extends RuntimeTest {
    IdleTimersTest(Setup setup) {
        super(setup);
    }

    private long sleeps() {
        return skein.metrics().workers().stream()
                .mapToLong(Metrics.Worker::sleeps)
                .sum();
    }

    @Test
    void workersWithTimersFarAwayDoNotWake() throws Exception {
        List<Coroutine<?>> sleepers = new ArrayList<>();
        for (int i = 1; i <= 100; i++) {
            Duration duration = Duration.ofSeconds(30L * i);
            sleepers.add(skein.spawn(() -> Time.sleep(duration)));
        }
        sleepers.forEach(Await::untilWaiting);

        // On a busy machine a worker that searches for work gives up late; then it sleeps on.
        Await.until("a window in which no sleep begins after a wake-up", () -> {
            long before = sleeps();
            new CountDownLatch(1).await(400, TimeUnit.MILLISECONDS); // the length of the measurement
            return sleeps() == before;
        });
        sleepers.forEach(sleeper -> sleeper.cancel(true));
    }

    @Test
    void aSleepIsOneWakeUpOfAWorker() throws Exception {
        skein.blockOn(() -> Time.sleep(Duration.ofMillis(1)));
        long before = sleeps();

        skein.blockOn(() -> Time.sleep(Duration.ofMillis(300)));

        assertThat(sleeps() - before).as("sleeps").isLessThanOrEqualTo(3L * (1 + setup.workers()));
    }
}
