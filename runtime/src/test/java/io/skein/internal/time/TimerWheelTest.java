package io.skein.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The wheel under a clock that the test sets, wherever that clock begins. */
@ParameterizedClass(name = "clock at {0}")
@ValueSource(longs = {0, 1_234_567_891, -5_000_000_000_123L, Long.MAX_VALUE - 3_000_000, Long.MIN_VALUE + 1})
@Timeout(value = 30, threadMode = ThreadMode.SAME_THREAD) // the thread that makes the wheel owns it
class TimerWheelTest {
    /** Slots of one level. */
    private static final long TURN = 64;

    private static final long TICK = TimerWheel.TICK_NANOS;

    /** How late a timer may be because of how the wheel counts time. */
    private static final long TOLERANCE = 50_000;

    @Parameter
    private long startNanos;

    private final List<Long> fired = new ArrayList<>();
    private ManualClock clock;
    private TimerWheel wheel;

    @BeforeEach
    void begin() {
        clock = new ManualClock(startNanos);
        wheel = new TimerWheel(clock, Thread.currentThread());
    }

    private Probe armAtTick(long tick) {
        return armAt(clock.atTick(tick), tick);
    }

    private Probe armAt(long deadlineNanos, long number) {
        Probe probe = new Probe(number, fired);
        wheel.arm(probe, deadlineNanos);
        return probe;
    }

    /** Expires as a worker does: until nothing is due. */
    private void expireAll() {
        do {
            wheel.expire();
        } while (wheel.nanosToNext() == 0);
    }

    private List<Long> firedAtTick(long tick) {
        clock.setTick(tick);
        fired.clear();
        expireAll();
        return List.copyOf(fired);
    }

    @Test
    void anEmptyWheelHasNothingToWaitForAndDoesNotLookAtTheClock() {
        long before = clock.reads();

        wheel.expire();

        assertThat(wheel.nanosToNext()).isEqualTo(Long.MAX_VALUE);
        assertThat(clock.reads()).isEqualTo(before);
    }

    @Test
    void aTimerFiresAtItsTickAndNotBefore() {
        armAtTick(5);

        assertThat(firedAtTick(4)).isEmpty();
        assertThat(firedAtTick(5)).containsExactly(5L);
        assertThat(wheel.isEmpty()).isTrue();
    }

    @Test
    void aDeadlineWithinATickIsRoundedUp() {
        armAt(clock.atTick(3) + 1, 1);

        clock.setTick(3);
        clock.advanceNanos(TICK - 1);
        expireAll();
        assertThat(fired).isEmpty();

        assertThat(firedAtTick(4)).containsExactly(1L);
    }

    @Test
    void aTimerIsNeverEarlyAndForASleeperInTimeNoMoreThanAMomentLate() {
        Random random = new Random(startNanos);
        for (int i = 0; i < 1000; i++) {
            long deadline = clock.getAsLong() + random.nextLong(1L << random.nextInt(1, 60));
            Probe timer = armAt(deadline, i);

            while (!timer.hasFired()) {
                clock.advanceNanos(wheel.nanosToNext());
                wheel.expire();
            }

            assertThat(clock.getAsLong() - deadline).isBetween(0L, TOLERANCE - 1);
            begin();
        }
    }

    @Test
    void timersThatAreDueAMomentApartShareAWakeUp() {
        for (long nanos = 1; nanos <= TICK; nanos += 100) {
            armAt(clock.atTick(70_000) + nanos, nanos);
        }

        clock.advanceNanos(wheel.nanosToNext());
        expireAll();

        assertThat(wheel.isEmpty()).isTrue();
    }

    @Test
    void timersCloseTogetherWakeTheirOwnerNoMoreOftenThanThereAreTicks() {
        Random random = new Random(startNanos);
        long millis = 10;
        for (long i = 0; i < 10_000; i++) {
            armAt(clock.getAsLong() + random.nextLong(millis * 1_000_000), i);
        }
        int wakeUps = 0;
        for (; !wheel.isEmpty(); wakeUps++) {
            clock.advanceNanos(wheel.nanosToNext());
            expireAll();
        }

        assertThat(fired).hasSize(10_000);
        assertThat(wakeUps).isLessThanOrEqualTo((int) (millis * 1_000_000 / TICK) + 2);
    }

    @Test
    void aDeadlineOfThePastFiresAtOnce() {
        clock.setTick(1000);
        armAt(clock.atTick(1000), 1);
        armAt(clock.atTick(7), 2);
        armAt(clock.atTick(-500), 3);

        expireAll();

        assertThat(fired).containsExactlyInAnyOrder(1L, 2L, 3L);
    }

    @Test
    void aDeadlineBeforeWhatHasFiredAlreadyFiresAtOnceAndNothingElseDoes() {
        armAtTick(5000);
        firedAtTick(5000);
        armAtTick(5010);

        armAtTick(7);

        assertThat(wheel.nanosToNext()).isZero();
        assertThat(firedAtTick(5000)).containsExactly(7L);
        assertThat(firedAtTick(5010)).containsExactly(5010L);
    }

    @Test
    void theNextDeadlineIsKnownToTheNanosecond() {
        armAtTick(7_654_321);
        assertThat(wheel.nanosToNext()).isEqualTo(7_654_321 * TICK);

        armAtTick(10);
        clock.advanceNanos(1);

        assertThat(wheel.nanosToNext()).isEqualTo(10 * TICK - 1);
    }

    @Test
    void theNextDeadlineIsTheEarliestOfASlotThatHoldsMany() {
        armAtTick(1_000_050);
        armAtTick(1_000_010);
        armAtTick(1_000_090);

        assertThat(wheel.nanosToNext()).isEqualTo(1_000_010 * TICK);
    }

    @Test
    void aSleepUntilTheNextDeadlineFiresItWithoutAnyLookBefore() {
        for (long tick : List.of(1L, 63L, 64L, 65L, 4095L, 4096L, 1L << 18, (1L << 24) + 17, (1L << 30) + 1)) {
            armAtTick(tick);
        }
        List<Long> wokenAt = new ArrayList<>();
        while (!wheel.isEmpty()) {
            clock.advanceNanos(wheel.nanosToNext());
            int before = fired.size();
            wheel.expire();
            assertThat(fired).as("a wake-up for nothing").hasSizeGreaterThan(before);
            wokenAt.add(clock.elapsedNanos() / TICK);
        }

        assertThat(wokenAt).isEqualTo(fired);
    }

    @Test
    void timersOfOneTickFireInTheOrderInWhichTheyWereArmed() {
        for (long i = 0; i < 100; i++) {
            armAt(clock.atTick(70_000), i);
        }

        assertThat(firedAtTick(70_000))
                .isEqualTo(LongStream.range(0, 100).boxed().toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
    void aTimerComesDownFromEveryLevel(int level) {
        long slot = 1L << (6 * level);
        if (slot * TURN > Long.MAX_VALUE / TICK) {
            slot = Long.MAX_VALUE / TICK / TURN;
        }
        for (long tick : List.of(slot - 1, slot, slot + 1, 3 * slot + slot / 2 + 1, slot * (TURN - 1))) {
            begin();
            armAtTick(tick);

            assertThat(firedAtTick(tick / 2)).isEmpty();
            assertThat(firedAtTick(tick - 1)).isEmpty();
            assertThat(firedAtTick(tick)).containsExactly(tick);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void timersNearTheWrapOfEveryLevelFireInOrder(int level) {
        long wrap = 1L << (6 * level);
        clock.setTick(wrap - 2);
        wheel.expire();
        List<Long> ticks = new ArrayList<>();
        for (long tick = wrap - 1; tick <= wrap + 2 * TURN; tick++) {
            ticks.add(tick);
        }
        Collections.shuffle(ticks);
        ticks.forEach(this::armAtTick);

        for (long tick = wrap - 1; tick <= wrap + 2 * TURN; tick++) {
            assertThat(firedAtTick(tick)).containsExactly(tick);
        }
    }

    @Test
    void aTimerAYearAwayFiresAfterAYear() {
        clock.setTick(12_345);
        long day = Duration.ofDays(1).toNanos() / TICK;
        long year = 365 * day;
        armAtTick(12_345 + year);

        assertThat(wheel.nanosToNext()).isEqualTo(year * TICK);
        for (int i = 1; i < 365; i++) {
            clock.setTick(12_345 + i * day);
            wheel.expire();
        }
        assertThat(firedAtTick(12_345 + year - 1)).isEmpty();
        assertThat(firedAtTick(12_345 + year)).containsExactly(12_345 + year);
    }

    @Test
    void aDeadlineFurtherAwayThanALongCountsDoesNotFire() {
        clock.advance(Duration.ofDays(1));
        armAt(clock.getAsLong() + Long.MAX_VALUE, 1);

        clock.advance(Duration.ofDays(100 * 365));
        expireAll();

        assertThat(fired).isEmpty();
        assertThat(wheel.nanosToNext()).isPositive();
    }

    @Test
    void afterABillionTicksOfIdlenessEverythingIsAsBefore() {
        armAtTick(1);
        firedAtTick(1);
        long later = 1_000_000_000;
        clock.setTick(later);

        armAtTick(later + 10);
        armAtTick(later + 100_000);

        assertThat(wheel.nanosToNext()).isEqualTo(10 * TICK);
        assertThat(firedAtTick(later + 9)).isEmpty();
        assertThat(firedAtTick(later + 10)).containsExactly(later + 10);
        assertThat(firedAtTick(later + 99_999)).isEmpty();
        assertThat(firedAtTick(later + 100_000)).containsExactly(later + 100_000);
    }

    @Test
    void afterABillionTicksWithoutALookEverythingThatIsDueFiresAtOnce() {
        for (long tick = 1; tick < 1_000_000_000; tick *= 3) {
            armAtTick(tick);
            armAtTick(tick + 1_000_000_000);
        }

        assertThat(firedAtTick(1_000_000_000)).isSorted().hasSize(19);
        assertThat(wheel.size()).isEqualTo(19);
    }

    @Test
    void aCancelledTimerDoesNotFireAndIsGone() {
        Probe timer = armAtTick(10);
        armAtTick(11);

        assertThat(timer.cancel()).isTrue();

        assertThat(wheel.size()).isEqualTo(1);
        assertThat(timer.isReleased()).isTrue();
        assertThat(firedAtTick(20)).containsExactly(11L);
        assertThat(timer.cancel()).isFalse();
    }

    @Test
    void aTimerThatHasFiredCannotBeCancelled() {
        Probe timer = armAtTick(1);
        firedAtTick(1);

        assertThat(timer.cancel()).isFalse();
        assertThat(timer.hasFired()).isTrue();
    }

    @Test
    void cancellingTheOnlyTimerLeavesNothingToWaitFor() {
        armAtTick(100_000).cancel();

        assertThat(wheel.nanosToNext()).isEqualTo(Long.MAX_VALUE);
        assertThat(wheel.isEmpty()).isTrue();
    }

    @Test
    void timersCancelledAtTheFrontInTheMiddleAndAtTheEndOfASlotLeaveTheOthers() {
        List<Probe> timers = new ArrayList<>();
        for (long i = 0; i < 7; i++) {
            timers.add(armAt(clock.atTick(5000), i));
        }
        timers.get(0).cancel();
        timers.get(6).cancel();
        timers.get(3).cancel();

        assertThat(firedAtTick(5000)).containsExactly(1L, 2L, 4L, 5L);
    }

    @Test
    void anActionMayCancelTheTimerThatWouldFireNext() {
        Probe next = new Probe(2, fired);
        wheel.arm(new Probe(1, fired, next::cancel), clock.atTick(9));
        wheel.arm(next, clock.atTick(9));
        wheel.arm(new Probe(3, fired), clock.atTick(9));

        assertThat(firedAtTick(9)).containsExactly(1L, 3L);
        assertThat(wheel.isEmpty()).isTrue();
    }

    @Test
    void anActionThatCancelsItsOwnTimerIsTooLate() {
        List<Boolean> cancelled = new ArrayList<>();
        Probe[] self = new Probe[1];
        self[0] = new Probe(1, fired, () -> cancelled.add(self[0].cancel()));
        wheel.arm(self[0], clock.atTick(2));

        assertThat(firedAtTick(2)).containsExactly(1L);
        assertThat(cancelled).containsExactly(false);
        assertThat(wheel.isEmpty()).isTrue();
    }

    @Test
    void anActionMayArmTimers() {
        wheel.arm(new Probe(1, fired, () -> armAt(clock.atTick(2), 2)), clock.atTick(2));
        wheel.arm(new Probe(3, fired, () -> armAt(clock.atTick(200), 4)), clock.atTick(3));

        assertThat(firedAtTick(3)).containsExactly(1L, 2L, 3L);
        assertThat(firedAtTick(199)).isEmpty();
        assertThat(firedAtTick(200)).containsExactly(4L);
    }

    @Test
    void anActionThatFailsTakesNoOtherTimerWithIt() {
        wheel.arm(
                new Probe(1, fired, () -> {
                    throw new IllegalStateException("on purpose");
                }),
                clock.atTick(2));
        armAtTick(2);
        clock.setTick(2);

        assertThatIllegalStateException().isThrownBy(wheel::expire);
        expireAll();

        assertThat(fired).containsExactly(1L, 2L);
    }

    @Test
    void anActionThatFoundNoMemoryOrNoStackIsDoneAgain() {
        Deque<Error> failures =
                new ArrayDeque<>(List.of(new OutOfMemoryError("on purpose"), new StackOverflowError("on purpose")));
        wheel.arm(
                new Probe(1, fired, () -> {
                    if (!failures.isEmpty()) {
                        throw failures.pop();
                    }
                }),
                clock.atTick(2));

        while (!wheel.isEmpty()) {
            clock.advanceNanos(wheel.nanosToNext());
            wheel.expire();
        }

        assertThat(fired).containsExactly(1L, 1L, 1L);
    }

    @Test
    void aTimerIsArmedOnce() {
        Probe timer = armAtTick(1);

        assertThatIllegalStateException().isThrownBy(() -> wheel.arm(timer, clock.atTick(2)));
    }

    @Test
    void oneCallFiresABoundedNumberAndTheRestIsDueAtOnce() {
        for (long i = 0; i < 3 * TimerWheel.BATCH; i++) {
            armAt(clock.atTick(1), i);
        }
        clock.setTick(1);

        wheel.expire();

        assertThat(fired).hasSize(TimerWheel.BATCH);
        assertThat(wheel.nanosToNext()).isZero();
        expireAll();
        assertThat(fired).hasSize(3 * TimerWheel.BATCH);
    }

    @Test
    void timersThatComeWhileASlotIsMovedDownAreNotOvertakenForEver() {
        for (long i = 0; i < 3 * TimerWheel.BATCH; i++) {
            armAt(clock.atTick(TURN + 10), TURN + 10);
        }
        clock.setTick(TURN);
        wheel.expire(); // moves a batch down

        armAtTick(TURN);
        armAtTick(TURN + 1);

        assertThat(wheel.nanosToNext()).isZero();
        assertThat(firedAtTick(TURN)).containsExactly(TURN);
        assertThat(firedAtTick(TURN + 9)).containsExactly(TURN + 1);
        assertThat(firedAtTick(TURN + 10)).hasSize(3 * TimerWheel.BATCH);
    }

    @Test
    void whatIsLeftOfASlotThatIsMovedDownIsNotSleptOver() {
        for (long i = 0; i < TimerWheel.BATCH; i++) {
            armAt(clock.atTick(TURN + 10), TURN + 10);
        }
        armAtTick(TURN + 5);
        clock.setTick(TURN);
        wheel.expire(); // moves all down but the last

        assertThat(wheel.nanosToNext()).isZero();
        expireAll();
        assertThat(wheel.nanosToNext()).isEqualTo(5 * TICK);
    }

    @Test
    void aSlotWhoseTimersAreCancelledWhileItIsMovedDownIsForgotten() {
        List<Probe> timers = new ArrayList<>();
        for (long i = 0; i < 3 * TimerWheel.BATCH; i++) {
            timers.add(armAt(clock.atTick(5000), i));
        }
        clock.setTick(4096 + 64 * 14); // within the level above the lowest
        wheel.expire();
        timers.forEach(Probe::cancel);

        armAtTick(6000);

        assertThat(wheel.nanosToNext()).isEqualTo((6000 - 4096 - 64 * 14) * TICK);
        assertThat(firedAtTick(6000)).containsExactly(6000L);
    }
}
