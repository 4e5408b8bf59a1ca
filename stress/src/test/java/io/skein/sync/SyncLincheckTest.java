package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skein.internal.sync.Patience;
import io.skein.internal.sync.Tenure;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks under Lincheck's model checker, which tries interleavings one by one and notices when everybody waits for ever. */
class SyncLincheckTest {
    private static final int INVOCATIONS = Boolean.getBoolean("skein.test.long") ? 100_000 : 300;

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts", e);
        }
    }

    private static void check(boolean truth, String otherwise) {
        if (!truth) {
            throw new AssertionError(otherwise);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void threeWhoWantAMutexGetItOneAfterTheOther(int nudges) {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> {
            Tenure tenure = new Tenure(nudges);
            AtomicInteger inside = new AtomicInteger();
            Runnable visit = () -> {
                tenure.takeStubbornly();
                check(inside.incrementAndGet() == 1, "two inside");
                inside.decrementAndGet();
                tenure.give();
            };
            Thread first = new Thread(visit);
            Thread second = new Thread(visit);
            first.start();
            second.start();
            visit.run();
            join(first);
            join(second);
            check(!tenure.isHeld() && tenure.isDeserted(), "not as at first");
        });
    }

    @Test
    void aSemaphoreServesItsLineThoughSomebodyGivesUp() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> {
            Semaphore semaphore = new Semaphore(0);
            boolean[] got = new boolean[2];
            Thread hurried = new Thread(() -> got[0] = tried(semaphore));
            Thread patient = new Thread(() -> got[1] = acquired(semaphore));
            hurried.start();
            patient.start();
            semaphore.release(1);
            semaphore.release(1);
            join(hurried);
            join(patient);
            check(got[1], "the patient one has nothing");
            check(semaphore.availablePermits() == (got[0] ? 0 : 1), "a permit is lost or there twice");
            check(semaphore.isDeserted(), "somebody is in line");
        });
    }

    private static boolean tried(Semaphore semaphore) {
        try {
            return semaphore.tryAcquire(Duration.ZERO);
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts", e);
        }
    }

    private static boolean acquired(Semaphore semaphore) {
        try {
            semaphore.acquire();
            return true;
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts", e);
        }
    }

    @Test
    void aSemaphoreThatServesWhoHasGivenUpIsCaught() {
        assertThatThrownBy(() -> Lincheck.runConcurrentTest(100_000, () -> {
                    BrokenSemaphore semaphore = new BrokenSemaphore(0);
                    boolean[] got = new boolean[1];
                    Thread hurried = new Thread(() -> got[0] = semaphore.tryAcquire(Patience.of(Duration.ZERO)));
                    hurried.start();
                    semaphore.release();
                    join(hurried);
                    check(semaphore.availablePermits() == (got[0] ? 0 : 1), "a permit is lost");
                }))
                .isInstanceOf(LincheckAssertionError.class);
    }
}
