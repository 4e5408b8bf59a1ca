package io.skein.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.LeakCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Threads that no worker carries: one thread keeps their timers, and goes when there are none. The leak check waits for that. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class OutsideTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofHours(1);

    private static void waitForEver() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    private static boolean hasTimerThread() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("skein-timers"));
    }

    @Test
    void platformThreadsAndVirtualThreadsHaveLimitsToo() throws Exception {
        Queue<Throwable> outcomes = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Thread.Builder builder = i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
            Duration limit = SHORT.multipliedBy(1 + i % 3);
            threads.add(builder.start(() -> {
                long start = System.nanoTime();
                try {
                    Time.timeout(limit, OutsideTest::waitForEver);
                } catch (Exception e) {
                    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(limit.toNanos());
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    outcomes.add(e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(outcomes).hasSize(20).allSatisfy(e -> assertThat(e).isInstanceOf(TimeoutException.class));
    }

    @Test
    void anEarlierTimerIsNotHeldUpByALaterOne() throws Exception {
        Time.timeout(LONG, () -> {
            Await.until("the thread keeps a timer that is far away", OutsideTest::hasTimerThread);
            assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> Time.timeout(SHORT, OutsideTest::waitForEver));
        });
    }

    @Test
    void theThreadIsNotKeptByATimerThatWasCancelledAfterAnEarlierOne() throws Exception {
        Time.timeout(LONG.plusSeconds(1), () -> {
            Time.timeout(LONG, OutsideTest::awaitSleepingTimerThread);
            awaitSleepingTimerThread(); // for the later one, at the earlier one's time
        });

        Await.until("the thread has gone", () -> !hasTimerThread());
    }

    private static void awaitSleepingTimerThread() throws Exception {
        Await.until(
                "the thread sleeps",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .anyMatch(thread -> thread.getName().equals("skein-timers")
                                && thread.getState() == Thread.State.TIMED_WAITING));
    }

    @Test
    void theThreadGoesWhenItHasNothingToKeepAndAnotherComes() throws Exception {
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 5000; j++) {
                Time.timeout(LONG, () -> "in time");
            }
            Await.until("the thread has gone", () -> !hasTimerThread());
            assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> Time.timeout(Duration.ofMillis(1), OutsideTest::waitForEver));
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }
}
