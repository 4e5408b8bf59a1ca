package io.skein.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Coroutine;
import io.skein.LeakCheck;
import io.skein.Mode;
import io.skein.Scheduling;
import io.skein.Skein;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** So many coroutines asleep at once, each for a time of its own: all wake up, and none early. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class ManySleepersTest {
    private final LongAdder woken = new LongAdder();
    private final LongAdder early = new LongAdder();

    @ParameterizedTest
    @EnumSource
    void aHundredThousandSleepersWakeUp(Scheduling scheduling) throws Exception {
        sleep(scheduling, 100_000, Duration.ofMillis(300));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    @Timeout(300)
    void aMillionSleepersWakeUp(Scheduling scheduling) throws Exception {
        sleep(scheduling, 1_000_000, Duration.ofSeconds(20)); // so that all are asleep before the first wakes up
    }

    private void sleep(Scheduling scheduling, int count, Duration shortest) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(1);
        Skein skein = new Mode(scheduling, 2).builder().start();
        try {
            for (int i = 0; i < count; i++) {
                Duration duration = shortest.plusNanos(random.nextLong(shortest.toNanos() / 4));
                Coroutine<?> _ = skein.spawn(() -> sleep(duration));
            }
        } finally {
            assertThat(skein.close(Duration.ofMinutes(4))).isTrue();
        }

        assertThat(early.sum()).as("woke up early").isZero();
        assertThat(woken.sum()).isEqualTo(count);
    }

    private void sleep(Duration duration) throws InterruptedException {
        long start = System.nanoTime();
        Time.sleep(duration);
        if (System.nanoTime() - start < duration.toNanos()) {
            early.increment();
        }
        woken.increment();
    }
}
