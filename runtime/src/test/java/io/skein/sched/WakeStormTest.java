package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.LeakCheck;
import io.skein.Mode;
import io.skein.Scheduling;
import io.skein.Skein;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Threads from outside and the coroutines themselves wake ten thousand coroutines at random; every wake is seen.
 *
 * <p>A wake is a number that grows, then an unpark. A coroutine parks while it has seen the newest number, so one that
 * still has an unseen number when the storm is over has lost a wake.
 */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class WakeStormTest {
    private static final int COROUTINES = 10_000;
    private static final int OUTSIDERS = 8;

    private final AtomicIntegerArray wakes = new AtomicIntegerArray(COROUTINES);
    private final AtomicIntegerArray seen = new AtomicIntegerArray(COROUTINES);
    /** Complete before the first wake. */
    private final List<Coroutine<?>> coroutines = new ArrayList<>();

    private final AtomicBoolean storm = new AtomicBoolean(true);
    private final AtomicBoolean over = new AtomicBoolean();

    @ParameterizedTest
    @EnumSource
    void everyWakeIsSeen(Scheduling scheduling) throws Exception {
        wakeAllFor(Duration.ofSeconds(2), scheduling);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    void everyWakeOfALongStormIsSeen(Scheduling scheduling) throws Exception {
        wakeAllFor(Duration.ofSeconds(10), scheduling);
    }

    private void wakeAllFor(Duration length, Scheduling scheduling) throws Exception {
        Skein skein = new Mode(scheduling, 3).builder().runQueueCapacity(4).start();
        for (int i = 0; i < COROUTINES; i++) {
            int me = i;
            coroutines.add(skein.spawn(() -> beWoken(me)));
        }
        List<Thread> outsiders = new ArrayList<>();
        for (int i = 0; i < OUTSIDERS; i++) {
            outsiders.add(Thread.ofPlatform().name("outsider-" + i).start(() -> {
                long end = System.nanoTime() + length.toNanos();
                while (System.nanoTime() - end < 0) {
                    wake(anyone());
                }
            }));
        }
        for (Thread outsider : outsiders) {
            outsider.join();
        }
        storm.set(false);

        try {
            Await.until("every wake is seen", () -> firstUnseen() < 0);
            assertThat(total(seen)).isEqualTo(total(wakes)).isGreaterThan(COROUTINES);
        } finally {
            over.set(true);
            for (Coroutine<?> coroutine : coroutines) {
                LockSupport.unpark(coroutine.thread());
            }
            assertThat(skein.close(Duration.ofSeconds(20))).isTrue();
        }
    }

    private void beWoken(int me) {
        int noticed = 0;
        while (!over.get()) {
            int newest = wakes.get(me);
            if (newest == noticed) {
                LockSupport.park();
            } else {
                noticed = newest;
                seen.set(me, noticed);
                if (storm.get()) {
                    wake(anyone());
                }
            }
        }
    }

    private void wake(int whom) {
        wakes.incrementAndGet(whom);
        LockSupport.unpark(coroutines.get(whom).thread());
    }

    private static int anyone() {
        return ThreadLocalRandom.current().nextInt(COROUTINES);
    }

    /** A coroutine that has not seen its newest wake, or -1. */
    private int firstUnseen() {
        for (int i = 0; i < COROUTINES; i++) {
            if (wakes.get(i) != seen.get(i)) {
                return i;
            }
        }
        return -1;
    }

    private static long total(AtomicIntegerArray numbers) {
        long sum = 0;
        for (int i = 0; i < COROUTINES; i++) {
            sum += numbers.get(i);
        }
        return sum;
    }
}
