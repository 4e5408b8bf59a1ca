package io.skein.internal.loom;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A thread that was queued, and that somebody else has woken meanwhile, is somewhere else when its entry of the queue is run: it comes
 * to no harm there. Threads are run by hand, on the test's own.
 */
@Timeout(60)
class UnparkingStaleEntryTest {
    private static final Duration WHILE = Duration.ofMillis(50);

    private final ManualQueue queue = new ManualQueue();
    private final AtomicBoolean goOn = new AtomicBoolean();
    private final AtomicInteger wakes = new AtomicInteger();

    @BeforeAll
    static void needFlags() {
        ManualQueue.needFlags();
    }

    @Test
    void ofAThreadThatParksAgainItWakesForNothingAtMost() {
        Thread thread = startWithStaleEntry(this::parkUntilGoOn);

        queue.runAll();

        assertThat(thread.isAlive()).isTrue();
        assertThat(ParkedThreads.isParked(thread)).isTrue();
        assertThat(wakes.get()).isLessThanOrEqualTo(1);
        goOn.set(true);
        Unparking.unpark(thread);
        queue.runAll();
        assertThat(thread.isAlive()).isFalse();
    }

    /** The JDK's own entry is behind the stale one, as it is in one queue. */
    @Test
    void ofAThreadThatHasNotRunYetItDoesNothing() {
        Thread thread = queue.start(() -> {
            LockSupport.park();
            parkUntilGoOn();
        });
        Unparking.unpark(thread);
        LockSupport.unpark(thread);
        assertThat(queue.size()).isEqualTo(2);

        queue.runAll();

        assertThat(ParkedThreads.isParked(thread)).isTrue();
        assertThat(wakes).as("the permit was one for both").hasValue(0);
        goOn.set(true);
        Unparking.unpark(thread);
        queue.runAll();
        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void aThousandOfThemWakeAThreadForNothingAThousandTimesAtMost() {
        Thread thread = queue.start(this::parkUntilGoOn);
        for (int i = 0; i < 1000; i++) {
            Unparking.unpark(thread);
        }

        queue.runAll();

        assertThat(ParkedThreads.isParked(thread)).isTrue();
        assertThat(wakes.get()).isBetween(1, 1000);
        goOn.set(true);
        Unparking.unpark(thread);
        queue.runAll();
        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void ofAThreadThatParksForAWhileItWakesForNothingAtMost() {
        long start = System.nanoTime();
        Thread thread = startWithStaleEntry(() -> {
            while (System.nanoTime() - start < WHILE.toNanos()) {
                LockSupport.parkNanos(WHILE.toNanos() - (System.nanoTime() - start));
                wakes.incrementAndGet();
            }
        });

        queue.runUntilEnded(thread);

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(WHILE.toNanos());
        assertThat(wakes.get()).isBetween(1, 3);
    }

    @Test
    void ofAThreadThatSleepsItDoesNotEndTheSleep() {
        long start = System.nanoTime();
        Thread thread = startWithStaleEntry(() -> sleep(WHILE));

        queue.runUntilEnded(thread);

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(WHILE.toNanos());
    }

    @Test
    void ofAThreadThatWaitsForAMonitorsSignalItChangesNothing() {
        Object monitor = new Object();
        Thread thread = startWithStaleEntry(() -> {
            waitWhile(monitor, 0, () -> !goOn.get());
        });

        queue.runAll();

        assertThat(thread.getState()).isEqualTo(Thread.State.WAITING);
        assertThat(wakes).hasValue(0);
        signal(monitor);
        queue.runUntilEnded(thread);
        assertThat(wakes).hasValue(1);
    }

    @Test
    void ofAThreadThatWaitsForAMonitorsSignalForAWhileItChangesNothing() {
        Object monitor = new Object();
        long start = System.nanoTime();
        Thread thread = startWithStaleEntry(() -> {
            waitWhile(monitor, WHILE.toMillis(), () -> System.nanoTime() - start < WHILE.toNanos());
        });

        queue.runUntilEnded(thread);

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(WHILE.toNanos());
    }

    @Test
    void ofAThreadThatWaitsToEnterAMonitorItDoesNotLetItIn() throws Exception {
        Object monitor = new Object();
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicBoolean others = new AtomicBoolean();
        Thread holder = Thread.ofPlatform().name("holder").start(() -> {
            synchronized (monitor) {
                others.set(true);
                held.countDown();
                awaitUninterruptibly(release);
                others.set(false);
            }
        });
        held.await();
        AtomicBoolean enteredToo = new AtomicBoolean();
        Thread thread = startWithStaleEntry(() -> {
            synchronized (monitor) {
                enteredToo.set(others.get());
            }
        });

        queue.runAll();

        assertThat(thread.getState()).isEqualTo(Thread.State.BLOCKED);
        release.countDown();
        holder.join();
        queue.runUntilEnded(thread);
        assertThat(enteredToo).isFalse();
    }

    @Test
    @SuppressWarnings("ThreadPriorityCheck") // yielding is the subject
    void ofAThreadThatYieldsItLeavesTheRunToTheJdk() {
        AtomicInteger yields = new AtomicInteger();
        Thread thread = startWithStaleEntry(() -> {
            for (int i = 0; i < 3; i++) {
                Thread.yield();
                yields.incrementAndGet();
            }
        });
        assertThat(queue.size()).isEqualTo(2);

        queue.runFirst();

        assertThat(yields).hasValue(0);
        queue.runAll();
        assertThat(yields).hasValue(3);
        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void ofAThreadThatHasEndedItDoesNothing() {
        Thread thread = startWithStaleEntry(() -> {});
        assertThat(thread.isAlive()).isFalse();

        queue.runAll();

        assertThat(thread.getState()).isEqualTo(Thread.State.TERMINATED);
    }

    @Test
    void ofAThreadThatWasInterruptedItDoesNothing() {
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread thread = queue.start(() -> {
            LockSupport.park();
            interrupted.set(Thread.interrupted());
            parkUntilGoOn();
        });
        Unparking.unpark(thread);
        thread.interrupt();

        queue.runAll();

        assertThat(interrupted).isTrue();
        assertThat(ParkedThreads.isParked(thread)).isTrue();
        goOn.set(true);
        Unparking.unpark(thread);
        queue.runAll();
        assertThat(thread.isAlive()).isFalse();
    }

    /** A thread that has parked, was queued, was woken by the JDK, and is where the body has brought it; its entry is still queued. */
    private Thread startWithStaleEntry(Runnable body) {
        Thread thread = queue.start(() -> {
            LockSupport.park();
            body.run();
        });
        Unparking.unpark(thread);
        LockSupport.unpark(thread);
        assertThat(queue.size()).isEqualTo(2);
        queue.runLast();
        return thread;
    }

    private void parkUntilGoOn() {
        while (!goOn.get()) {
            LockSupport.park();
            wakes.incrementAndGet();
        }
    }

    private void waitWhile(Object monitor, long millis, BooleanSupplier condition) {
        try {
            synchronized (monitor) {
                while (condition.getAsBoolean()) {
                    monitor.wait(millis);
                    wakes.incrementAndGet();
                }
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** From a thread of its own: the test's carries others, and carriers hold no monitors. */
    private void signal(Object monitor) {
        goOn.set(true);
        Thread signaller = Thread.ofPlatform().start(() -> {
            synchronized (monitor) {
                monitor.notifyAll();
            }
        });
        Await.untilEnded("the signaller", signaller);
    }

    private static void sleep(Duration length) {
        try {
            TimeUnit.NANOSECONDS.sleep(length.toNanos());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
