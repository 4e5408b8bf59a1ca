package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.internal.Budget;
import org.junit.jupiter.api.Test;

/** Who gets a mutex that several want. On one worker, where who runs when is certain. */
@Mode.OneWorker
class MutexFairnessTest extends ModeTest {
    private static final int NUDGES = 4;

    private final Mutex mutex = new Mutex();

    MutexFairnessTest(Mode mode) {
        super(mode);
    }

    private Coroutine<?> inLine() {
        Coroutine<?> other = skein.spawn(() -> mutex.withLock(() -> {}));
        while (other.thread().getState() != Thread.State.WAITING) {
            Coroutine.yieldNow();
        }
        return other;
    }

    @Test
    void aHolderThatTakesItAgainAtOnceNeedsNoSwitch() throws Exception {
        skein.blockOn(() -> {
            mutex.lock();
            Coroutine<?> other = inLine();
            for (int i = 0; i < Budget.OPERATIONS / 2; i++) {
                mutex.unlock();
                assertThat(mutex.tryLock()).isTrue();
            }
            assertThat(other.isDone()).isFalse();
            mutex.unlock();
            other.join();
        });
    }

    @Test
    void whoIsFirstInLineIsOvertakenABoundedNumberOfTimesAndThenHasIt() throws Exception {
        skein.blockOn(() -> {
            mutex.lock();
            Coroutine<?> other = inLine();
            for (int i = 0; i < NUDGES; i++) {
                mutex.unlock();
                assertThat(mutex.tryLock()).as("faster, for the time " + i).isTrue();
                Coroutine.yieldNow(); // it looks, and waits again
                assertThat(other.isDone()).isFalse();
            }

            mutex.unlock();
            assertThat(mutex.tryLock()).as("faster once more").isFalse();
            assertThat(mutex.isLocked()).as("given before it runs").isTrue();

            other.join();
            assertThat(mutex.isLocked()).isFalse();
        });
    }

    @Test
    void thePatienceOfOneIsNotHeldAgainstTheNext() throws Exception {
        skein.blockOn(() -> {
            mutex.lock();
            Coroutine<?> first = inLine();
            Coroutine<?> second = inLine();
            for (int i = 0; i < NUDGES; i++) {
                mutex.unlock();
                mutex.lock();
                Coroutine.yieldNow();
            }
            first.cancel(true);
            Coroutine.yieldNow();
            assertThat(first.isDone()).isTrue();

            mutex.unlock();
            assertThat(mutex.tryLock()).as("the second was never nudged").isTrue();
            mutex.unlock();
            second.join();
        });
    }

    @Test
    void whoGivesUpWhileItIsFreeDoesNotLeaveTheNextBehind() throws Exception {
        skein.blockOn(() -> {
            mutex.lock();
            Coroutine<?> first = inLine();
            Coroutine<?> second = inLine();
            first.cancel(true); // first in line, and interrupted when it looks
            mutex.unlock();

            second.join();
            assertThat(mutex.isLocked()).isFalse();
        });
    }
}
