package io.skein.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.LeakCheck;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The start of the thread that keeps timers: who finds none starts one, and who cannot harms nobody else. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class TimerThreadTest {
    private final List<Long> fired = new CopyOnWriteArrayList<>();
    private final AtomicReference<TimerThread.Office> office = new AtomicReference<>();

    /** What the first thread's start is; those after it start as usual. */
    private void firstStart(Runnable first) {
        List<Runnable> firsts = new CopyOnWriteArrayList<>(List.of(first));
        office.set(new TimerThread.Office(thread -> {
            if (firsts.isEmpty()) {
                thread.start();
            } else {
                firsts.removeFirst().run();
                thread.start();
            }
        }));
    }

    private void arm(long number) {
        office.get().arm(new Probe(number, fired), System.nanoTime());
    }

    @Test
    void aTimerFires() {
        firstStart(() -> {});

        arm(1);

        Await.until("it has fired", () -> fired.equals(List.of(1L)));
    }

    @Test
    void whoCannotStartAThreadIsToldAndTheNextStartsOne() {
        firstStart(TimerThreadTest::fail);

        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> arm(1));
        arm(2);

        Await.until("the second has fired", () -> fired.equals(List.of(2L)));
    }

    @Test
    void aThreadThatCannotBeStartedTakesNobodyElsesTimersWithIt() {
        firstStart(() -> {
            arm(2); // of somebody else, at the worst time
            fail();
        });

        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> arm(1));

        Await.until("the second has fired", () -> fired.equals(List.of(2L)));
    }

    @Test
    void ofTwoThreadsThatAreStartedAtOnceBothTimersFire() {
        firstStart(() -> arm(2)); // somebody else is faster

        arm(1);

        Await.until("both have fired", () -> fired.size() == 2);
        assertThat(fired).containsExactlyInAnyOrder(1L, 2L);
    }

    private static void fail() {
        throw new OutOfMemoryError("no thread, on purpose");
    }
}
