package io.skein.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.RuntimeTest;
import io.skein.Setup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Sleeping, on either driver: never too short, ended by an interrupt, and nothing left of it. */
@Setup.Each
class SleepTest extends RuntimeTest {
    private static final Duration LONG = Duration.ofHours(1);

    SleepTest(Setup setup) {
        super(setup);
    }

    @Test
    void noSleepIsTooShort() throws Exception {
        Queue<Long> tooShort = new ConcurrentLinkedQueue<>();
        List<Coroutine<?>> sleepers = new ArrayList<>();
        for (int i = 1; i <= 200; i++) {
            Duration duration = Duration.ofNanos(137_911L * i);
            sleepers.add(skein.spawn(() -> {
                long start = System.nanoTime();
                Time.sleep(duration);
                long early = duration.toNanos() - (System.nanoTime() - start);
                if (early > 0) {
                    tooShort.add(early);
                }
            }));
        }
        for (Coroutine<?> sleeper : sleepers) {
            sleeper.join();
        }

        assertThat(tooShort).isEmpty();
    }

    @Test
    void noSleepIsTooShortWhereWorkersAreBusy() throws Exception {
        Coroutine<?> busy = skein.spawn(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                Coroutine.yieldNow();
            }
        });
        for (int i = 0; i < 20; i++) {
            Duration duration = Duration.ofNanos(1_300_000);
            long start = System.nanoTime();
            skein.blockOn(() -> Time.sleep(duration));
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(duration.toNanos());
        }
        busy.cancel(true);
    }

    @Test
    void whoSleepsShorterWakesFirst() throws Exception {
        Queue<Integer> woken = new ConcurrentLinkedQueue<>();
        skein.blockOn(() -> {
            Deadline start = Deadline.after(Duration.ofMillis(50));
            List<Coroutine<?>> sleepers = new ArrayList<>();
            for (int i : List.of(3, 1, 2)) {
                sleepers.add(skein.spawn(() -> {
                    Time.sleepUntil(start);
                    Time.sleep(Duration.ofMillis(60L * i));
                    woken.add(i);
                }));
            }
            for (Coroutine<?> sleeper : sleepers) {
                sleeper.join();
            }
        });

        assertThat(woken).containsExactly(1, 2, 3);
    }

    @Test
    void zeroAndLessReturnAtOnce() throws Exception {
        skein.blockOn(() -> {
            Time.sleep(Duration.ZERO);
            Time.sleep(Duration.ofDays(-1));
            Time.sleepUntil(Instant.EPOCH);
            Time.sleepUntil(Deadline.after(Duration.ZERO));
        });
    }

    @Test
    void anInterruptedThreadDoesNotSleepAtAll() throws Exception {
        skein.blockOn(() -> {
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> Time.sleep(Duration.ZERO));
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> Time.sleep(LONG));
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void aSleepEndsByACancel() throws Exception {
        Coroutine<?> sleeper = skein.spawn(() -> Time.sleep(LONG));
        Await.untilWaiting(sleeper);

        sleeper.cancel(true);

        assertThatExceptionOfType(CancellationException.class).isThrownBy(sleeper::join);
    }

    @Test
    void theLongestDurationIsASleepToo() throws Exception {
        Coroutine<?> sleeper = skein.spawn(() -> Time.sleep(Duration.ofSeconds(Long.MAX_VALUE)));
        Await.untilWaiting(sleeper);

        sleeper.cancel(true);

        assertThatExceptionOfType(CancellationException.class).isThrownBy(sleeper::join);
    }

    @Test
    void anInstantIsReachedAndNotJustApproached() throws Exception {
        skein.blockOn(() -> {
            Instant wanted = Instant.now().plusMillis(7);
            Time.sleepUntil(wanted);
            assertThat(Instant.now()).isAfterOrEqualTo(wanted);
        });
    }

    @Test
    @SuppressWarnings("NullAway") // on purpose
    void aNullIsRefused() {
        assertThatNullPointerException().isThrownBy(() -> Time.sleep(null));
        assertThatNullPointerException().isThrownBy(() -> Time.sleepUntil((Instant) null));
        assertThatNullPointerException().isThrownBy(() -> Time.sleepUntil((Deadline) null));
    }

    @Test
    void platformThreadsAndOtherVirtualThreadsSleepToo() throws Exception {
        for (Thread.Builder builder : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
            Queue<Long> slept = new ConcurrentLinkedQueue<>();
            Thread thread = builder.start(() -> {
                long start = System.nanoTime();
                try {
                    Time.sleep(Duration.ofMillis(5));
                } catch (InterruptedException e) {
                    return;
                }
                slept.add(System.nanoTime() - start);
            });
            thread.join();
            assertThat(slept)
                    .singleElement()
                    .satisfies(nanos -> assertThat(nanos).isGreaterThanOrEqualTo(5_000_000L));
        }
    }

    @Test
    void tenThousandSleepersWake() throws Exception {
        skein.blockOn(() -> {
            List<Coroutine<?>> sleepers = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                sleepers.add(skein.spawn(() -> Time.sleep(Duration.ofMillis(20))));
            }
            for (Coroutine<?> sleeper : sleepers) {
                sleeper.join();
            }
        });
    }
}
