package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.ThreadKind;
import io.skein.ThreadKind.Running;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** All kinds of threads at once, interrupted and out of time at random: nobody is in where it must not be, and nobody hangs. */
@Mode.Each
class MutualExclusionTest extends ModeTest {
    private static final int THREADS = 12;
    private static final Duration LENGTH = Duration.ofMillis(300);

    /** A way to hold something while a body runs; it says whether the body ran. */
    private interface Section {
        boolean run(Duration timeout, Runnable body) throws InterruptedException;
    }

    /** Never negative, never more than there may be. */
    private static final class Room {
        private final int capacity;
        private final AtomicInteger inside = new AtomicInteger();

        Room(int capacity) {
            this.capacity = capacity;
        }

        void visit(int weight, Runnable body) {
            int now = inside.addAndGet(weight);
            try {
                if (now > capacity) {
                    throw new AssertionError(now + " inside, of " + capacity);
                }
                body.run();
            } finally {
                inside.addAndGet(-weight);
            }
        }
    }

    MutualExclusionTest(Mode mode) {
        super(mode);
    }

    @Test
    void aMutexLetsOneInAtATimeWhateverInterruptsAndTimesOut() throws Exception {
        Mutex mutex = new Mutex();
        int[] counter = {0};
        int entered = storm((timeout, body) -> {
            if (!locked(mutex, timeout)) {
                return false;
            }
            try {
                counter[0]++;
                body.run();
                return true;
            } finally {
                mutex.unlock();
            }
        });

        assertThat(counter[0]).isEqualTo(entered).isPositive();
        assertThat(mutex.isLocked()).isFalse();
        assertThat(mutex.tenure().isDeserted()).isTrue();
    }

    private static boolean locked(Mutex mutex, Duration timeout) throws InterruptedException {
        return switch (ThreadLocalRandom.current().nextInt(3)) {
            case 0 -> mutex.tryLock();
            case 1 -> mutex.tryLock(timeout);
            default -> {
                mutex.lock();
                yield true;
            }
        };
    }

    @Test
    void aMutexThatIsNoneIsCaught() {
        expectUnheardFailures();
        Room room = new Room(1);
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> storm((_, body) -> {
                    room.visit(1, () -> {
                        Coroutine.yieldNow();
                        body.run();
                    });
                    return true;
                }));
    }

    @Test
    void aSemaphoreNeverHandsOutMoreThanItHas() throws Exception {
        Semaphore semaphore = new Semaphore(5);
        Room room = new Room(5);
        storm((timeout, body) -> {
            int count = ThreadLocalRandom.current().nextInt(1, 6);
            if (ThreadLocalRandom.current().nextBoolean()) {
                if (!semaphore.tryAcquire(count, timeout)) {
                    return false;
                }
            } else {
                semaphore.acquire(count);
            }
            try {
                room.visit(count, body);
                return true;
            } finally {
                semaphore.release(count);
            }
        });

        assertThat(semaphore.availablePermits()).isEqualTo(5);
        assertThat(semaphore.isDeserted()).isTrue();
    }

    @Test
    void aSharedMutexLetsReadersInTogetherAndWritersAlone() throws Exception {
        SharedMutex mutex = new SharedMutex();
        Room room = new Room(THREADS);
        storm((timeout, body) -> {
            boolean shared = ThreadLocalRandom.current().nextInt(4) != 0;
            boolean in = shared ? mutex.tryLockShared(timeout) : mutex.tryLockExclusive(timeout);
            if (!in) {
                return false;
            }
            try {
                room.visit(shared ? 1 : THREADS, body);
                return true;
            } finally {
                if (shared) {
                    mutex.unlockShared();
                } else {
                    mutex.unlockExclusive();
                }
            }
        });

        assertThat(mutex).hasToString("SharedMutex[unlocked]");
        assertThat(mutex.isDeserted()).isTrue();
    }

    /** Returns how often somebody was in. */
    private int storm(Section section) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        List<Running<Integer>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            all.add(ThreadKind.inTurn(i).start(skein, () -> visits(section, over)));
        }
        long end = System.nanoTime() + LENGTH.toNanos();
        while (System.nanoTime() - end < 0) {
            all.get(ThreadLocalRandom.current().nextInt(THREADS)).thread().interrupt();
            Thread.onSpinWait();
        }
        over.set(true);
        int sum = 0;
        for (Running<Integer> each : all) {
            Await.until("it ends", () -> each.outcome().isDone(), each.thread());
            try {
                sum += each.get();
            } catch (ExecutionException e) {
                throw new AssertionError(e.getCause());
            }
        }
        return sum;
    }

    private static int visits(Section section, AtomicBoolean over) {
        int visits = 0;
        while (!over.get()) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            Duration timeout = Duration.ofNanos(random.nextInt(200_000));
            Runnable body = random.nextInt(8) == 0 ? Coroutine::yieldNow : Thread::onSpinWait;
            try {
                visits += section.run(timeout, body) ? 1 : 0;
            } catch (InterruptedException e) {
                // once more
            }
            if (random.nextInt(4) == 0) {
                Thread.interrupted();
                Coroutine.yieldNow();
            }
        }
        return visits;
    }
}
