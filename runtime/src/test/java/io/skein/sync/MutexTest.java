package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.ThreadKind;
import io.skein.ThreadKind.Running;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A mutex: one holder at a time, which alone gives it back. */
@Mode.Each
class MutexTest extends ModeTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Mutex mutex = new Mutex();

    MutexTest(Mode mode) {
        super(mode);
    }

    @ParameterizedTest
    @EnumSource
    void aHeldMutexCannotBeTakenByAnybody(ThreadKind kind) throws Exception {
        mutex.lock();

        assertThat(mutex.tryLock()).as("by its holder").isFalse();
        assertThat(kind.call(skein, () -> mutex.tryLock())).as("by another").isFalse();

        mutex.unlock();
        assertThat(kind.call(skein, () -> {
                    boolean taken = mutex.tryLock();
                    mutex.unlock();
                    return taken;
                }))
                .isTrue();
    }

    @Test
    void aHeldMutexThatOthersWaitForCannotBeTakenEither() throws Exception {
        mutex.lock();
        Running<Void> waiting = lockedAndUnlocked(ThreadKind.COROUTINE);

        assertThat(ThreadKind.PLATFORM.call(skein, () -> mutex.tryLock())).isFalse();

        mutex.unlock();
        waiting.get();
    }

    private Running<Void> lockedAndUnlocked(ThreadKind kind) {
        Running<Void> running = kind.start(skein, () -> {
            mutex.withLock(() -> {});
            return null;
        });
        running.awaitWaiting();
        return running;
    }

    @Test
    void itsHolderIsToldThatItIsNotReentrant() throws Exception {
        mutex.lock();

        for (Waitable.Step again : List.<Waitable.Step>of(
                mutex::lock, mutex::lockUninterruptibly, () -> mutex.tryLock(LONG), () -> mutex.withLock(() -> {}))) {
            assertThatThrownBy(again::take)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(Thread.currentThread().getName())
                    .hasMessageContaining("not reentrant");
        }
        assertThat(mutex.isHeldByCurrentThread()).isTrue();
        mutex.unlock();
    }

    @Test
    void whoDoesNotHoldItCannotUnlockItAndIsToldWhoDoes() throws Exception {
        Coroutine<Void> holder = skein.spawn("the holder", () -> {
            mutex.withLock(() -> Thread.sleep(LONG));
            return null;
        });
        Await.until("held", mutex::isLocked);
        Await.untilWaiting(holder);

        assertThatThrownBy(mutex::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("held by the holder");

        holder.cancel(true);
        Await.until("given back", () -> !mutex.isLocked());
        assertThatThrownBy(mutex::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("unlocked");
    }

    @Test
    void withLockReturnsTheValueAndGivesTheMutexBackAfterAFailure() throws Exception {
        assertThat(mutex.withLock(() -> "value")).isEqualTo("value");
        assertThatThrownBy(() -> mutex.withLock(() -> {
                    throw new IOException("broken");
                }))
                .isInstanceOf(IOException.class);

        assertThat(mutex.isLocked()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void anUninterruptibleWaitKeepsTheInterruptForLater(ThreadKind kind) throws Exception {
        mutex.lock();
        Running<Boolean> waiting = kind.start(skein, () -> {
            mutex.lockUninterruptibly();
            mutex.unlock();
            return Thread.interrupted();
        });
        waiting.awaitWaiting();
        waiting.thread().interrupt();
        waiting.awaitWaiting();
        assertThat(waiting.outcome().isDone()).isFalse();

        mutex.unlock();

        assertThat(waiting.get()).isTrue();
    }

    @Test
    void thoseWhoWaitGetItInTheOrderInWhichTheyCame() throws Exception {
        mutex.lock();
        ConcurrentLinkedQueue<Integer> order = new ConcurrentLinkedQueue<>();
        List<Running<Void>> waiting = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            int number = i;
            Running<Void> each = ThreadKind.inTurn(i).start(skein, () -> {
                mutex.withLock(() -> order.add(number));
                return null;
            });
            each.awaitWaiting();
            waiting.add(each);
        }

        mutex.unlock();

        for (Running<Void> each : waiting) {
            each.get();
        }
        assertThat(order).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
    }

    @Test
    void tenCoroutinesMayWaitInsideIt() throws Exception {
        int[] counter = {0};
        List<Coroutine<Void>> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(skein.spawn(() -> {
                for (int j = 0; j < 5; j++) {
                    mutex.withLock(() -> {
                        int seen = counter[0];
                        Thread.sleep(Duration.ofNanos(100_000));
                        Coroutine.yieldNow();
                        counter[0] = seen + 1;
                    });
                }
                return null;
            }));
        }
        for (Coroutine<Void> each : all) {
            each.join();
        }

        assertThat(counter[0]).isEqualTo(50);
    }

    @Test
    void aTextTellsWhoHoldsIt() throws Exception {
        assertThat(mutex).hasToString("Mutex[unlocked]");
        mutex.lock();
        assertThat(mutex).hasToString("Mutex[held by " + Thread.currentThread().getName() + "]");
        mutex.unlock();
    }

    @Test
    @SuppressWarnings("NullAway") // on purpose
    void noBodyIsRefusedAndTheMutexGivenBack() {
        assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> mutex.withLock((Callable<String>) null));
        assertThat(mutex.isLocked()).isFalse();
    }
}
