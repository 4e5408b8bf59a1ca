package io.skein.internal.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One holder at a time, and whoever finds it held goes on looking. */
@Timeout(60)
class BriefLockTest {
    private final BriefLock lock = new BriefLock();

    @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
    enum Taking {
        FIRST(BriefLock::lock),
        AGAIN(BriefLock::lockAgain);

        private final Consumer<BriefLock> how;

        Taking(Consumer<BriefLock> how) {
            this.how = how;
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsHeldCannotBeTaken(Taking taking) {
        taking.how.accept(lock);
        assertThat(lock.tryLock()).isFalse();

        lock.unlock();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock()).as("held by who tried").isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void whoFindsItHeldTakesItWhenItIsGivenBack(Taking taking) {
        lock.lock();
        Thread other = new Thread(() -> taking.how.accept(lock), "other");
        other.start();
        Await.untilInside("lockHeld", other);

        lock.unlock();

        Await.untilEnded("the look", other);
        assertThat(lock.tryLock()).as("it is the other's").isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void whatItGuardsIsChangedByOneAtATime(Taking taking) throws InterruptedException {
        int rounds = 50_000;
        int[] counter = {0};
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                awaitStart(start);
                for (int round = 0; round < rounds; round++) {
                    taking.how.accept(lock);
                    counter[0]++;
                    lock.unlock();
                }
            }));
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(counter[0]).isEqualTo(3 * rounds);
    }

    private static void awaitStart(CountDownLatch start) {
        try {
            start.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whoOnlyTriesDoesNotTakeWhatAnotherHolds() throws InterruptedException {
        Thread holder = Thread.ofPlatform().start(lock::lock);
        holder.join();

        assertThat(lock.tryLock()).isFalse();
    }
}
