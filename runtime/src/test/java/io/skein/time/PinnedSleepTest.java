package io.skein.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * A coroutine that cannot give way holds the worker that keeps its timer, and wakes in time all the same. The watchdog, which
 * would help others out, is off in these modes.
 */
@Mode.Each
class PinnedSleepTest extends ModeTest {
    private static final Duration SHORT = Duration.ofMillis(20);

    PinnedSleepTest(Mode mode) {
        super(mode);
    }

    @Test
    void aSleepUnderANativeFrameEnds() throws Exception {
        long slept = skein.blockOn(() -> {
            long start = System.nanoTime();
            NativeFrame.run(() -> Time.sleep(SHORT));
            return System.nanoTime() - start;
        });

        assertThat(slept).isBetween(SHORT.toNanos(), Duration.ofSeconds(10).toNanos());
    }

    @Test
    void severalSleepsUnderANativeFrameEnd() throws Exception {
        skein.blockOn(() -> NativeFrame.run(() -> {
            for (int i = 0; i < 5; i++) {
                Time.sleep(Duration.ofMillis(2));
            }
        }));
    }

    @Test
    void aTimedWaitUnderANativeFrameEnds() throws Exception {
        skein.blockOn(() -> {
            Coroutine<?> endless = skein.spawn(() -> Time.sleep(Duration.ofHours(1)));
            NativeFrame.run(() -> assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> endless.get(20, TimeUnit.MILLISECONDS)));
            endless.cancel(true);
        });
    }

    @Test
    void whoHasSleptPinnedSleepsByTheWheelAgainAfterwards() throws Exception {
        skein.blockOn(() -> {
            NativeFrame.run(() -> Time.sleep(Duration.ofMillis(1)));
            Time.sleep(Duration.ofMillis(1));
            assertThat(Wheels.ownSize()).isZero();
        });
    }
}
