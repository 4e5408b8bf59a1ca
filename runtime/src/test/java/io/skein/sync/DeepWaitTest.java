package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Action;
import io.skein.Coroutine;
import io.skein.LeakCheck;
import io.skein.Skein;
import io.skein.sync.Waitable.Closed;
import java.time.Duration;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A coroutine so deep in calls that its stack is too large to be put aside: it cannot wait, and is told by an error. Whatever it
 * wanted to wait for is as before.
 */
@ExtendWith(LeakCheck.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class DeepWaitTest {
    private static final int DEPTH = 200_000;
    private static final Duration BRIEF = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofMinutes(5);

    private Skein skein;

    @BeforeEach
    void start() {
        skein = Skein.builder().workers(2).stackSize(256 << 20).start();
    }

    @AfterEach
    void close() {
        skein.close();
    }

    /** Waits in the depth. With another collector there may be room for the stack: then it waits for as long as it is told. */
    private void waitDeep(Action wait) throws Exception {
        skein.blockOn(() -> descend(DEPTH, wait));
    }

    private static boolean descend(int depth, Action wait) throws Exception {
        if (depth > 0) {
            return descend(depth - 1, wait);
        }
        try {
            wait.run();
        } catch (StackOverflowError | TimeoutException | BrokenBarrierException e) {
            return false;
        }
        return true;
    }

    @ParameterizedTest
    @EnumSource
    void whoCannotWaitIsNotLeftInLine(Waitable waitable) throws Exception {
        Closed closed = waitable.close();

        waitDeep(() -> closed.timedPass().await(BRIEF));

        assertThat(closed.isDeserted()).isTrue();
        closed.open().take();
        assertThat(closed.isDeserted()).isTrue();
    }

    @Test
    void whoCannotWaitForASignalHoldsTheMutexAgain() throws Exception {
        Mutex mutex = new Mutex();
        Condition condition = mutex.newCondition();

        waitDeep(() -> {
            mutex.lock();
            try {
                condition.await(BRIEF);
            } finally {
                mutex.unlock();
            }
        });

        assertThat(mutex.isLocked()).isFalse();
    }

    @Test
    void whoCannotWaitForTheOthersBreaksTheBarrier() throws Exception {
        Barrier barrier = new Barrier(2);

        waitDeep(() -> barrier.await(BRIEF));

        assertThat(barrier.isBroken()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void whoCannotWaitToReceiveIsNotLeftInLine(Kind kind) throws Exception {
        Channel<Integer> channel = kind.channel();

        waitDeep(() -> channel.tryReceive(BRIEF));

        ChannelTest.assertQuiet(channel);
    }

    @ParameterizedTest
    @EnumSource(names = {"RENDEZVOUS", "BUFFERED_1", "BUFFERED_3"})
    void whoCannotWaitToSendIsNotLeftInLine(Kind kind) throws Exception {
        Channel<Integer> channel = kind.full();

        waitDeep(() -> channel.trySend(1, BRIEF));

        assertThat(channel.senders.isEmpty()).isTrue();
        kind.drain(channel);
        assertThat(channel.tryReceive()).isNull();
    }

    @Test
    void aSelectThatCannotWaitLeavesAllLines() throws Exception {
        Channel<Integer> one = Channel.rendezvous();
        Channel<Integer> other = Channel.rendezvous();
        try (Skein elsewhere = Skein.start()) {
            Coroutine<?> sleeper = elsewhere.spawn(() -> Thread.sleep(LONG));

            waitDeep(Select.of(
                    Select.receive(one, _ -> 0),
                    Select.send(other, 1, () -> 0),
                    Select.join(sleeper, _ -> 0),
                    Select.after(BRIEF, () -> 0))::await);

            sleeper.cancel(true);
        }

        ChannelTest.assertQuiet(one);
        ChannelTest.assertQuiet(other);
    }

    @Test
    void whoCannotWaitForABroadcastOrAWatchIsNotLeftInLine() throws Exception {
        Broadcast<Integer> broadcast = Broadcast.waiting(1);
        Watch<Integer> watch = Watch.of(1);
        Watch.Watcher<Integer> watcher = watch.watcher();
        watcher.tryReceive();
        try (Subscription<Integer> subscription = broadcast.subscribe()) {
            waitDeep(() -> watcher.tryReceive(BRIEF));
            waitDeep(() -> subscription.tryReceive(BRIEF));
            broadcast.trySend(1);
            waitDeep(() -> broadcast.trySend(2, BRIEF));

            assertThat(watcher.waiting().isEmpty()).isTrue();
            assertThat(subscription.waiting().isEmpty()).isTrue();
            assertThat(subscription.tryReceive()).isEqualTo(1);
            assertThat(subscription.tryReceive()).isNull();
        }
    }
}
