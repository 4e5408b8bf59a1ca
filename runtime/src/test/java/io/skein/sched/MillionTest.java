package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.LeakCheck;
import io.skein.Mode;
import io.skein.Scheduling;
import io.skein.Skein;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** So many coroutines, each parked once and woken: all finish. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class MillionTest {
    @ParameterizedTest
    @EnumSource
    void aHundredThousandCoroutinesParkAndAreWoken(Scheduling scheduling) throws Exception {
        parkAndWakeCoroutines(scheduling, 100_000);
    }

    @Test
    @Tag("long")
    @Timeout(300)
    @SuppressWarnings("SystemOut") // The report is what the long run is for.
    void aMillionCoroutinesParkAndAreWoken() throws Exception {
        int million = 1_000_000;
        parkAndWakeCoroutines(Scheduling.STEALING, million); // The first round warms up.
        parkAndWake(million, Thread.ofVirtual()::unstarted);

        long ofCoroutines = parkAndWakeCoroutines(Scheduling.STEALING, million);
        long ofThreads = parkAndWake(million, Thread.ofVirtual()::unstarted);

        System.out.printf(
                "heap per parked coroutine: %d bytes; per parked virtual thread: %d bytes; ratio %.2f%n",
                ofCoroutines / million, ofThreads / million, (double) ofCoroutines / ofThreads);
    }

    private static long parkAndWakeCoroutines(Scheduling scheduling, int count) throws InterruptedException {
        Skein skein = new Mode(scheduling, 2).builder().start();
        try {
            return parkAndWake(count, body -> skein.spawn(body::run).thread());
        } finally {
            assertThat(skein.close(Duration.ofSeconds(60))).isTrue();
        }
    }

    /** Returns the bytes of heap that were in use for it while all were parked, handles and all. */
    private static long parkAndWake(int count, Function<Runnable, Thread> start) throws InterruptedException {
        Thread[] threads = new Thread[count];
        CountDownLatch running = new CountDownLatch(count);
        CountDownLatch ended = new CountDownLatch(count);
        AtomicInteger woken = new AtomicInteger();
        Runnable body = () -> {
            running.countDown();
            while (woken.get() == 0) {
                LockSupport.park();
            }
            ended.countDown();
        };
        long before = usedHeap();
        for (int i = 0; i < count; i++) {
            threads[i] = start.apply(body);
            if (threads[i].getState() == Thread.State.NEW) {
                threads[i].start();
            }
        }
        running.await();
        long used = usedHeap() - before;

        woken.set(1);
        for (Thread thread : threads) {
            LockSupport.unpark(thread);
        }
        ended.await();
        return used;
    }

    private static long usedHeap() {
        Runtime runtime = Runtime.getRuntime();
        if (Boolean.getBoolean("skein.test.long")) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
