package io.skein.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random timers, cancels and steps of the clock, against a sorted map that does the same. */
@Timeout(value = 60, threadMode = ThreadMode.SAME_THREAD) // the thread that makes the wheel owns it
class TimerWheelModelTest {
    private static final int STEPS = 20_000;

    private final List<Long> fired = new ArrayList<>();
    private final Map<Long, Probe> timers = new TreeMap<>();

    /** Numbers by tick: the model. */
    private final TreeMap<Long, List<Long>> model = new TreeMap<>();

    private final Map<Long, Long> ticks = new TreeMap<>();

    /** The exponent says how far away timers are at most, and how long steps: 2 to that many ticks. */
    @ParameterizedTest
    @CsvSource({"1, 3, true", "2, 8, true", "3, 8, false", "4, 20, true", "5, 40, true", "6, 40, false"})
    void theWheelFiresWhatTheModelFires(long seed, int exponent, boolean cancelledByOwner) {
        Random random = new Random(seed);
        ManualClock clock = new ManualClock(random.nextLong());
        TimerWheel wheel = new TimerWheel(clock, cancelledByOwner ? Thread.currentThread() : new Thread());
        long number = 0;
        for (int step = 0; step < STEPS; step++) {
            long now = clock.elapsedNanos() / TimerWheel.TICK_NANOS;
            switch (random.nextInt(4)) {
                case 0, 1 -> arm(wheel, clock, ++number, now + random.nextLong(1L << random.nextInt(exponent + 1)));
                case 2 -> cancelOne(random, number);
                default -> {
                    clock.advanceNanos(
                            random.nextLong(TimerWheel.TICK_NANOS << random.nextInt(Math.min(exponent, 24))));
                    expire(wheel, clock);
                }
            }
        }
        wheel.nanosToNext(); // reads the mail

        assertThat(wheel.size())
                .isEqualTo(model.values().stream().mapToInt(List::size).sum());
        while (!model.isEmpty()) {
            assertThat(clock.elapsedNanos() + wheel.nanosToNext())
                    .as("not later than the first deadline")
                    .isLessThanOrEqualTo(model.firstKey() * TimerWheel.TICK_NANOS);
            clock.advanceNanos(wheel.nanosToNext());
            expire(wheel, clock);
        }
        assertThat(wheel.isEmpty()).isTrue();
    }

    private void arm(TimerWheel wheel, ManualClock clock, long number, long tick) {
        Probe probe = new Probe(number, fired);
        wheel.arm(probe, clock.atTick(tick));
        timers.put(number, probe);
        ticks.put(number, tick);
        model.computeIfAbsent(tick, _ -> new ArrayList<>()).add(number);
    }

    private void cancelOne(Random random, long last) {
        long number = random.nextLong(last + 1);
        Probe probe = timers.remove(number);
        if (probe != null) {
            assertThat(probe.cancel()).isTrue();
            List<Long> others = Objects.requireNonNull(model.get(ticks.get(number)));
            others.remove(number);
            if (others.isEmpty()) {
                model.remove(ticks.get(number));
            }
        }
    }

    private void expire(TimerWheel wheel, ManualClock clock) {
        fired.clear();
        do {
            wheel.expire();
        } while (wheel.nanosToNext() == 0);
        Map<Long, List<Long>> due = model.headMap(clock.elapsedNanos() / TimerWheel.TICK_NANOS, true);
        assertThat(fired)
                .containsExactlyInAnyOrderElementsOf(
                        due.values().stream().flatMap(List::stream).toList());
        timers.keySet().removeAll(fired);
        due.clear();
    }
}
