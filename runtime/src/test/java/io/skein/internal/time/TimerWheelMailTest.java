package io.skein.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** What other threads ask of a wheel, and a great many timers at once. */
@Timeout(value = 60, threadMode = ThreadMode.SAME_THREAD)
class TimerWheelMailTest {
    private static final int MILLION = 1_000_000;

    private final List<Long> fired = new ArrayList<>();
    private final ManualClock clock = new ManualClock(-77);

    /** A wheel that the test's thread does not own, and so speaks to by mail; the test plays the owner too. */
    private final TimerWheel foreign = new TimerWheel(clock, new Thread());

    @Test
    void aTimerCancelledElsewhereIsTakenOutAtTheOwnersNextLook() {
        Probe timer = new Probe(1, fired);
        foreign.arm(timer, clock.atTick(1_000_000));

        assertThat(timer.cancel()).isTrue();
        assertThat(timer.isReleased()).isTrue();
        assertThat(foreign.size()).isEqualTo(1);

        assertThat(foreign.nanosToNext()).isEqualTo(Long.MAX_VALUE);
        assertThat(foreign.isEmpty()).isTrue();
    }

    @Test
    void aTimerThatIsDueAndWasCancelledElsewhereDoesNotFire() {
        Probe timer = new Probe(1, fired);
        foreign.arm(timer, clock.atTick(1));
        foreign.arm(new Probe(2, fired), clock.atTick(1));
        clock.setTick(1);
        timer.cancel();

        foreign.expire();

        assertThat(fired).containsExactly(2L);
        assertThat(foreign.isEmpty()).isTrue();
    }

    @Test
    void aTimerThatIsCancelledElsewhereWhileOthersFireDoesNotFire() {
        Probe cancelled = new Probe(2, fired);
        foreign.arm(new Probe(1, fired, cancelled::cancel), clock.atTick(1));
        foreign.arm(cancelled, clock.atTick(1));
        clock.setTick(1);

        foreign.expire();

        assertThat(fired).containsExactly(1L);
        assertThat(foreign.nanosToNext()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aTimerThatWasSentFiresAtItsTime() {
        assertThat(foreign.send(new Probe(1, fired), clock.atTick(100))).isTrue();

        assertThat(foreign.nanosToNext()).isEqualTo(100 * TimerWheel.TICK_NANOS);
        clock.setTick(100);
        foreign.expire();

        assertThat(fired).containsExactly(1L);
    }

    @Test
    void aTimerThatIsCancelledBeforeItArrivesIsNeverPutIn() {
        Probe timer = new Probe(1, fired);
        foreign.send(timer, clock.atTick(100));

        assertThat(timer.cancel()).isTrue();

        assertThat(foreign.nanosToNext()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aTimerThatIsCancelledBeforeItArrivesTakesNoOtherMailWithIt() {
        foreign.send(new Probe(1, fired), clock.atTick(1));
        Probe cancelled = new Probe(2, fired);
        foreign.send(cancelled, clock.atTick(1));
        cancelled.cancel();
        clock.setTick(1);

        foreign.expire();

        assertThat(fired).containsExactly(1L);
    }

    @Test
    void aClosedWheelRefusesAndTheTimerMayGoElsewhere() {
        Probe timer = new Probe(1, fired);
        assertThat(foreign.tryClose()).isTrue();

        assertThat(foreign.send(timer, clock.atTick(1))).isFalse();

        TimerWheel next = new TimerWheel(clock, new Thread());
        assertThat(next.send(timer, clock.atTick(1))).isTrue();
        clock.setTick(1);
        next.expire();
        assertThat(fired).containsExactly(1L);
    }

    @Test
    void aWheelWithMailCannotBeClosed() {
        foreign.send(new Probe(1, fired), clock.atTick(1));

        assertThat(foreign.tryClose()).isFalse();
    }

    @Test
    void oneLookReadsABoundedNumberOfLettersAndTheRestIsDueAtOnce() {
        int letters = 5_000;
        for (int i = 0; i < letters; i++) {
            foreign.send(counting(new AtomicLong()), clock.atTick(100));
        }

        assertThat(foreign.nanosToNext()).isZero();
        assertThat(foreign.size()).isBetween(1, letters - 1);
        while (foreign.nanosToNext() == 0) {
            foreign.expire();
        }
        assertThat(foreign.size()).isEqualTo(letters);
    }

    @Test
    void aMillionTimersOfOneInstantFireByBatches() {
        AtomicLong count = new AtomicLong();
        long tick = 3_600_000; // from far up, so that they are moved too
        for (int i = 0; i < MILLION; i++) {
            foreign.arm(counting(count), clock.atTick(tick));
        }

        clock.setTick(tick - 1);
        expireByBatches(count);
        assertThat(count).hasValue(0);

        clock.setTick(tick);
        expireByBatches(count);
        assertThat(count).hasValue(MILLION);
        assertThat(foreign.isEmpty()).isTrue();
    }

    @Test
    void aMillionTimersCancelledElsewhereAreTakenOut() {
        List<Timer> timers = new ArrayList<>(MILLION);
        for (int i = 0; i < MILLION; i++) {
            Timer timer = counting(new AtomicLong());
            foreign.arm(timer, clock.atTick(1 + i));
            timers.add(timer);
        }
        timers.forEach(Timer::cancel);

        while (foreign.nanosToNext() == 0) {
            foreign.expire();
        }

        assertThat(foreign.isEmpty()).isTrue();
    }

    private static Timer counting(AtomicLong count) {
        return new Timer() {
            @Override
            protected void fire() {
                count.getAndIncrement();
            }
        };
    }

    private void expireByBatches(AtomicLong count) {
        while (foreign.nanosToNext() == 0) {
            long before = count.get();
            foreign.expire();
            assertThat(count.get() - before).isLessThanOrEqualTo(TimerWheel.BATCH);
        }
    }
}
