package io.skein.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.internal.loom.Loom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ticks at equal distances, and what becomes of those that nobody waited for. */
@Mode.OneWorker
class IntervalTest extends ModeTest {
    private static final Duration PERIOD = Duration.ofMillis(10);

    IntervalTest(Mode mode) {
        super(mode);
    }

    /** Lets so much time pass since a moment, without a wait of Skein's. */
    private static void pass(Duration duration) {
        long startNanos = System.nanoTime();
        Await.until(duration + " have passed", () -> System.nanoTime() - startNanos > duration.toNanos());
    }

    @ParameterizedTest
    @EnumSource
    void noTickComesEarly(MissedTicks missed) throws Exception {
        skein.blockOn(() -> {
            long start = System.nanoTime();
            Interval interval = Time.interval(PERIOD, missed);
            for (int i = 1; i <= 5; i++) {
                long tick = interval.tick();
                assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(i * PERIOD.toNanos());
                assertThat(tick).isGreaterThanOrEqualTo(i);
            }
        });
    }

    @Test
    void aBurstTellsEachMissedTickAtOnce() throws Exception {
        skein.blockOn(() -> {
            Interval interval = Time.interval(PERIOD);
            pass(PERIOD.multipliedBy(3));
            Coroutine<?> other = skein.spawn(() -> {}); // runs as soon as this one waits: there is one worker

            assertThat(List.of(interval.tick(), interval.tick(), interval.tick()))
                    .containsExactly(1L, 2L, 3L);

            if (Loom.available()) { // elsewhere the JDK has more than one thread for the two
                assertThat(other.isDone()).as("a tick that was due waited").isFalse();
            }
            other.join();
        });
    }

    @Test
    void aDelayStartsAnewFromTheLateTick() throws Exception {
        skein.blockOn(() -> {
            Interval interval = Time.interval(PERIOD, MissedTicks.DELAY);
            pass(PERIOD.multipliedBy(3));

            long late = System.nanoTime();
            assertThat(interval.tick()).isEqualTo(1);
            assertThat(interval.tick()).isEqualTo(2);

            assertThat(System.nanoTime() - late).isGreaterThanOrEqualTo(PERIOD.toNanos());
        });
    }

    @Test
    void aSkipLeavesMissedTicksOutAndKeepsTheBeat() throws Exception {
        skein.blockOn(() -> {
            long start = System.nanoTime();
            Interval interval = Time.interval(PERIOD, MissedTicks.SKIP);
            pass(PERIOD.multipliedBy(3));

            assertThat(interval.tick()).isEqualTo(1);
            long next = interval.tick();

            assertThat(next).isGreaterThanOrEqualTo(4);
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(next * PERIOD.toNanos());
        });
    }

    @Test
    void ticksDoNotDrift() throws Exception {
        skein.blockOn(() -> {
            Interval interval = Time.interval(Duration.ofMillis(3));
            List<Long> ticks = new ArrayList<>();
            long start = System.nanoTime();
            for (int i = 0; i < 20; i++) {
                ticks.add(interval.tick());
            }
            assertThat(ticks).hasSize(20).isSorted();
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(19 * 3_000_000L);
        });
    }

    @Test
    void anInterruptedTickIsNotLost() throws Exception {
        skein.blockOn(() -> {
            Interval interval = Time.interval(PERIOD);
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(interval::tick);

            assertThat(interval.tick()).isEqualTo(1);
        });
    }

    @Test
    void aWaitForATickEndsByACancel() throws Exception {
        Coroutine<?> waiter =
                skein.spawn(() -> Time.interval(Duration.ofHours(1)).tick());
        Await.untilWaiting(waiter);

        waiter.cancel(true);

        assertThatExceptionOfType(CancellationException.class).isThrownBy(waiter::join);
    }

    @Test
    void aPeriodIsMoreThanZero() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Time.interval(Duration.ZERO))
                .withMessageContaining("0 s");
        assertThatIllegalArgumentException().isThrownBy(() -> Time.interval(Duration.ofNanos(-1)));
        assertThat(Time.interval(PERIOD).period()).isEqualTo(PERIOD);
    }
}
