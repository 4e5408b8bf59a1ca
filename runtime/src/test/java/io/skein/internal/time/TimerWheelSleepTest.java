package io.skein.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whom mail wakes: a wheel's owner that has said until when it sleeps. The test does for the owner what is not sleeping. */
@Timeout(60)
class TimerWheelSleepTest {
    private final ManualClock clock = new ManualClock(12_345);
    private final AtomicInteger wakeUps = new AtomicInteger();
    private final Thread owner = new Thread(this::sleep, "owner");
    private final TimerWheel wheel = new TimerWheel(clock, owner);
    private volatile boolean over;

    private void sleep() {
        while (!over) {
            LockSupport.park();
            wakeUps.incrementAndGet();
        }
    }

    @BeforeEach
    void fallAsleep() {
        owner.start();
        Await.untilWaiting(owner);
    }

    @AfterEach
    void end() throws InterruptedException {
        over = true;
        LockSupport.unpark(owner);
        owner.join();
    }

    private static Probe probe() {
        return new Probe(1, new ArrayList<>());
    }

    private Probe armAtTick(long tick) {
        Probe timer = probe();
        wheel.arm(timer, clock.atTick(tick));
        return timer;
    }

    private void awaitWakeUp() {
        Await.until("the owner is woken", () -> wakeUps.get() > 0);
    }

    @Test
    void mailIsThereUntilItIsRead() {
        assertThat(wheel.hasMail()).isFalse();

        wheel.send(probe(), clock.atTick(1));
        assertThat(wheel.hasMail()).isTrue();

        wheel.nanosToNext();
        assertThat(wheel.hasMail()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 99, 100})
    void aTimerThatIsDueNoLaterThanTheSleepEndsWakesTheOwner(long tick) {
        wheel.sleepUntil(clock.atTick(100));

        wheel.send(probe(), clock.atTick(tick));

        awaitWakeUp();
    }

    @Test
    void aTimerThatIsDueBeforeTheOneThatTheOwnerSleepsForWakesIt() {
        armAtTick(100_000);
        wheel.sleepUntil(clock.atTick(100_000));

        wheel.send(probe(), clock.atTick(99_999));

        awaitWakeUp();
    }

    @Test
    void theEndOfWhatTheOwnerSleepsForWakesIt() {
        Probe timer = armAtTick(100_000);
        wheel.sleepUntil(clock.atTick(100_000));

        timer.cancel();

        awaitWakeUp();
    }

    /** The first one of a slot has gone, and the owner sleeps until then all the same; so it wants to hear of the last one. */
    @ParameterizedTest
    @CsvSource({
        "0, 70, 127",
        "0, 4096, 8191",
        "0, 600000, 786431",
        "1000, 4096, 8191",
        "8200, 12289, 16383",
        "64, 128, 191"
    })
    void theEndOfTheLastOneOfASlotThatTheOwnerSleepsForWakesIt(long now, long first, long last) {
        armAtTick(now);
        clock.setTick(now);
        wheel.expire();
        Probe other = armAtTick(first);
        Probe timer = armAtTick(last);
        other.cancel();
        wheel.nanosToNext(); // reads of that
        wheel.sleepUntil(clock.atTick(first));

        timer.cancel();

        awaitWakeUp();
    }
}
