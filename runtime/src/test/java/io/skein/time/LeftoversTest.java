package io.skein.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Dispatch;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.Scheduling;
import io.skein.Scope;
import io.skein.internal.loom.Loom;
import io.skein.internal.time.Timer;
import io.skein.internal.time.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** What is over leaves no timer in any wheel, whoever ended it and wherever. */
class LeftoversTest extends ModeTest {
    private static final int WORKERS = 3;
    private static final Duration LONG = Duration.ofHours(1);

    LeftoversTest() {
        super(new Mode(Scheduling.PINNED, WORKERS));
    }

    private int left() throws InterruptedException {
        return Wheels.size(skein, WORKERS);
    }

    @Test
    void cancelledSleepsLeaveNothing() throws Exception {
        List<Coroutine<?>> sleepers = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            Duration duration = LONG.plusMillis(137L * i * i);
            sleepers.add(skein.spawn(() -> Time.sleep(duration)));
        }
        sleepers.forEach(Await::untilWaiting);
        assertThat(left()).isEqualTo(300);

        sleepers.forEach(sleeper -> sleeper.cancel(true));

        for (Coroutine<?> sleeper : sleepers) {
            assertThatExceptionOfType(CancellationException.class).isThrownBy(sleeper::join);
        }
        assertThat(left()).isZero();
    }

    @Test
    void timedWaitsThatEndInTimeLeaveNothing() throws Exception {
        skein.blockOn(() -> {
            for (int i = 0; i < 100; i++) {
                skein.spawn(Dispatch.roundRobin(), () -> Coroutine.yieldNow()).get(1, TimeUnit.HOURS);
            }
        });

        assertThat(left()).isZero();
    }

    @Test
    void scopesThatEndInTimeLeaveNothing() throws Exception {
        skein.blockOn(() -> {
            for (int i = 0; i < 20; i++) {
                try (Scope<Object, ?> scope =
                        Scope.open(Scope.Policy.allSucceed(), options -> options.withTimeout(LONG))) {
                    var _ = scope.fork(() -> "quick");
                    scope.join();
                }
            }
        });

        assertThat(left()).isZero();
    }

    @Test
    void limitsThatPassLeaveNothing() throws Exception {
        skein.blockOn(() -> assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> Time.timeout(Duration.ofMillis(1), () -> Time.sleep(LONG))));

        assertThat(left()).isZero();
    }

    @Test
    void timersThatAnotherWorkerCancelsAreTakenOutByTheirOwn() throws Exception {
        List<Timer> timers = skein.<List<Timer>>spawn(Dispatch.to(0), () -> {
                    List<Timer> armed = new ArrayList<>();
                    for (int i = 0; i < 5000; i++) {
                        Timer timer = new Timer() {
                            @Override
                            protected void fire() {}
                        };
                        Timers.arm(timer, System.nanoTime() + LONG.toNanos() + i * 1_000_000L);
                        armed.add(timer);
                    }
                    return armed;
                })
                .join();
        assertThat(left()).isEqualTo(5000);

        skein.spawn(Dispatch.to(1), () -> {
                    assertThat(Loom.currentCarrier()).isNotNull();
                    timers.forEach(timer -> assertThat(timer.cancel()).isTrue());
                })
                .join();

        Await.until("the timers are out", () -> left() == 0);
    }
}
