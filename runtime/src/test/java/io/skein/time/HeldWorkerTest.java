package io.skein.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.SkeinBuilder;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** A body that does not give way keeps its worker from its timers; then the watchdog keeps its limit. */
@Mode.OneWorker
class HeldWorkerTest extends ModeTest {
    private static final Duration SHORT = Duration.ofMillis(20);

    HeldWorkerTest(Mode mode) {
        super(mode);
    }

    @Override
    protected SkeinBuilder adjust(SkeinBuilder builder) {
        return builder.watchdog(Duration.ofMillis(20));
    }

    @Test
    void aBodyThatComputesIsInterrupted() throws Exception {
        skein.blockOn(() -> {
            String value = Time.timeout(SHORT, () -> {
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
                return "noticed";
            });

            assertThat(value).isEqualTo("noticed");
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void aBodyThatWaitsUnderANativeFrameIsInterrupted() throws Exception {
        skein.blockOn(() -> {
            assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> Time.timeout(SHORT, () -> NativeFrame.run(() -> new CountDownLatch(1).await())));
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void anOuterLimitPassesThoughTheInnerHasTime() throws Exception {
        skein.blockOn(() -> assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> Time.timeout(
                        SHORT,
                        () -> Time.timeout(
                                Duration.ofHours(1), () -> NativeFrame.run(() -> new CountDownLatch(1).await()))))
                .withMessageContaining("20 ms"));
    }
}
