package io.skein;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** Java's own ways of waiting, with several coroutines on as little as one worker: none of them may block it. */
@Setup.Each
@SuppressWarnings("ThreadPriorityCheck") // Yielding is what coroutines do.
class WaitingTest extends RuntimeTest {
    private final Object monitor = new Object();

    WaitingTest(Setup setup) {
        super(setup);
    }

    @Test
    void anUnparkFromAPlatformThreadWakesAParkedCoroutine() throws Exception {
        AtomicBoolean permitted = new AtomicBoolean();
        Coroutine<String> parked = skein.spawn(() -> {
            while (!permitted.get()) {
                LockSupport.park();
            }
            return "awake";
        });
        Await.untilWaiting(parked);

        permitted.set(true);
        LockSupport.unpark(parked.thread());

        assertThat(parked.join()).isEqualTo("awake");
    }

    @Test
    void anUnparkBeforeTheParkIsNotLost() throws Exception {
        for (int round = 0; round < 2000; round++) {
            AtomicBoolean permitted = new AtomicBoolean();
            Coroutine<?> parked = skein.spawn(() -> {
                while (!permitted.get()) {
                    LockSupport.park();
                }
            });

            permitted.set(true);
            LockSupport.unpark(parked.thread());

            parked.join();
        }
    }

    @Test
    void twoCoroutinesUnparkEachOtherManyTimes() throws Exception {
        SynchronousQueue<Integer> there = new SynchronousQueue<>();
        SynchronousQueue<Integer> back = new SynchronousQueue<>();
        Coroutine<?> echo = skein.spawn(() -> {
            for (int i = 0; i < 5000; i++) {
                back.put(there.take());
            }
        });

        skein.blockOn(() -> {
            for (int i = 0; i < 5000; i++) {
                there.put(i);
                assertThat(back.take()).isEqualTo(i);
            }
        });
        echo.join();
    }

    @Test
    void aCoroutineAndAPlatformThreadUnparkEachOtherManyTimes() throws Exception {
        SynchronousQueue<Integer> there = new SynchronousQueue<>();
        SynchronousQueue<Integer> back = new SynchronousQueue<>();
        Coroutine<?> echo = skein.spawn(() -> {
            for (int i = 0; i < 5000; i++) {
                back.put(there.take());
            }
        });

        for (int i = 0; i < 5000; i++) {
            there.put(i);
            assertThat(back.take()).isEqualTo(i);
        }
        echo.join();
    }

    @Test
    void aCoroutineThatWaitsForAMonitorLetsItsOwnerRun() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        Coroutine<?> owner = skein.spawn(() -> {
            synchronized (monitor) {
                held.countDown();
                release.await();
            }
        });
        held.await();
        Coroutine<?> contender = skein.spawn(() -> {
            synchronized (monitor) {
                assertThat(Thread.holdsLock(monitor)).isTrue();
            }
        });
        Await.untilWaiting(contender);

        skein.spawn(release::countDown).join();

        owner.join();
        contender.join();
    }

    @Test
    void aMonitorKeepsCoroutinesApart() throws Exception {
        int[] counter = new int[1];
        List<Coroutine<?>> counters = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            counters.add(skein.spawn(() -> {
                for (int turn = 0; turn < 200; turn++) {
                    synchronized (monitor) {
                        int seen = counter[0];
                        Thread.yield();
                        counter[0] = seen + 1;
                    }
                }
            }));
        }

        for (Coroutine<?> each : counters) {
            each.join();
        }

        assertThat(counter[0]).isEqualTo(4000);
    }

    @Test
    void aNotifyWakesACoroutineThatWaits() throws Exception {
        AtomicBoolean open = new AtomicBoolean();
        Coroutine<?> waiter = skein.spawn(() -> {
            synchronized (monitor) {
                while (!open.get()) {
                    monitor.wait();
                }
            }
        });
        Await.untilWaiting(waiter);

        skein.blockOn(() -> {
            synchronized (monitor) {
                open.set(true);
                monitor.notifyAll();
            }
        });

        waiter.join();
    }

    @Test
    void aReentrantLockKeepsCoroutinesApart() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        int[] counter = new int[1];
        List<Coroutine<?>> counters = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            counters.add(skein.spawn(() -> {
                for (int turn = 0; turn < 200; turn++) {
                    lock.lock();
                    try {
                        int seen = counter[0];
                        Thread.yield();
                        counter[0] = seen + 1;
                    } finally {
                        lock.unlock();
                    }
                }
            }));
        }

        for (Coroutine<?> each : counters) {
            each.join();
        }

        assertThat(counter[0]).isEqualTo(4000);
    }

    @Test
    void aConditionWakesACoroutineThatAwaitsIt() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Condition opened = lock.newCondition();
        AtomicBoolean open = new AtomicBoolean();
        Coroutine<?> waiter = skein.spawn(() -> {
            lock.lock();
            try {
                while (!open.get()) {
                    opened.await();
                }
            } finally {
                lock.unlock();
            }
        });
        Await.untilWaiting(waiter);

        skein.blockOn(() -> {
            lock.lock();
            try {
                open.set(true);
                opened.signal();
            } finally {
                lock.unlock();
            }
        });

        waiter.join();
    }

    @Test
    void aSleepingCoroutineLetsTheOthersRunAndWakesNoEarlierThanAsked() throws Exception {
        Coroutine<Long> sleeper = skein.spawn(() -> {
            long start = System.nanoTime();
            Thread.sleep(50);
            return System.nanoTime() - start;
        });
        Await.untilWaiting(sleeper);

        assertThat(skein.blockOn(() -> "meanwhile")).isEqualTo("meanwhile");
        assertThat(sleeper.join()).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(50));
    }

    @Test
    void manySleepsLastAsLongAsOne() throws Exception {
        long start = System.nanoTime();
        List<Coroutine<?>> sleepers = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            sleepers.add(skein.spawn(() -> Thread.sleep(100)));
        }

        for (Coroutine<?> sleeper : sleepers) {
            sleeper.join();
        }

        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(10)); // One by one: 50 s.
    }
}
