package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Action;
import io.skein.Await;
import io.skein.LeakCheck;
import io.skein.LittleStack;
import io.skein.Skein;
import io.skein.ThreadKind;
import io.skein.ThreadKind.Running;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A thread that runs out of stack in a channel or a lock has done what it was about to do, or nothing; and it leaves nobody waiting
 * whom it should have woken, nor itself in line.
 */
@ParameterizedClass
@EnumSource
@ExtendWith(LeakCheck.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class LittleStackTest {
    /** So many steps are taken after those that failed, one frame higher each time. */
    private static final int STEPS = 100;

    private static final int WAITING = 50;
    private static final Duration BRIEF = Duration.ofNanos(1);

    private final ThreadKind kind;
    private final LittleStack littleStack = new LittleStack(STEPS);
    private Skein skein;

    LittleStackTest(ThreadKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void start() {
        skein = Skein.builder()
                .workers(2)
                .stackSize(LittleStack.SIZE)
                .watchdog(Duration.ZERO)
                .start();
    }

    @AfterEach
    void close() throws InterruptedException {
        assertThat(skein.close(Duration.ofSeconds(20))).isTrue();
    }

    /** Takes a step in little stack, and in ever more. */
    private void inLittleStack(Action step) throws Exception {
        Action body = () -> littleStack.run(step);
        Running<?> running = kind == ThreadKind.PLATFORM ? onSmallThread(body) : kind.start(skein, called(body));
        Await.untilEnded("the one in little stack", running.thread());
        running.get();
    }

    private static Running<?> onSmallThread(Action body) {
        FutureTask<Boolean> outcome = new FutureTask<>(called(body));
        Thread thread = new Thread(null, outcome, "small", LittleStack.SIZE);
        thread.setDaemon(true);
        thread.start();
        return new Running<>(thread, outcome);
    }

    private static Callable<Boolean> called(Action body) {
        return () -> {
            body.run();
            return true;
        };
    }

    /** Threads that wait; each may be woken by one step. */
    private List<Running<?>> startWaiting(Action wait) {
        List<Running<?>> all = new ArrayList<>();
        for (int i = 0; i < WAITING; i++) {
            all.add(ThreadKind.inTurn(i).start(skein, called(wait)));
        }
        all.forEach(Running::awaitWaiting);
        return all;
    }

    private static void assertAllEnd(List<Running<?>> waiting) throws Exception {
        for (Running<?> one : waiting) {
            one.get();
        }
    }

    @Test
    void aChannelLosesNothing() throws Exception {
        Channel<Integer> channel = Channel.buffered(1);
        LongAdder balance = new LongAdder();

        inLittleStack(() -> {
            if (channel.trySend(1)) {
                balance.increment();
            } else if (channel.tryReceive() != null) {
                balance.decrement();
            }
        });

        assertThat(littleStack.done()).isPositive();
        assertThat(channel.tryReceive() == null ? 0 : 1).isEqualTo(balance.intValue());
        ChannelTest.assertQuiet(channel);
    }

    @Test
    void receiversAreWokenByWhatIsSent() throws Exception {
        Channel<Integer> channel = Channel.rendezvous();
        LongAdder received = new LongAdder();
        LongAdder sent = new LongAdder();
        List<Running<?>> receivers = startWaiting(() -> {
            for (int _ : channel) {
                received.increment();
            }
        });

        inLittleStack(() -> {
            if (channel.trySend(1)) {
                sent.increment();
            }
        });
        Await.until("all that was sent is received", () -> received.sum() == sent.sum());

        channel.close();
        assertAllEnd(receivers);
    }

    @Test
    void aCloseIsHeardByAll() throws Exception {
        Channel<Integer> channel = Channel.rendezvous();
        List<Running<?>> receivers = startWaiting(() -> {
            for (int value : channel) {
                throw new AssertionError("received " + value);
            }
        });

        inLittleStack(channel::close);
        channel.close(); // which does nothing if it is closed

        assertAllEnd(receivers);
    }

    @Test
    void permitsThatAreReleasedAreGivenOut() throws Exception {
        Semaphore semaphore = new Semaphore(0);
        LongAdder acquired = new LongAdder();
        List<Running<?>> waiting = startWaiting(() -> {
            semaphore.acquire();
            acquired.increment();
        });

        inLittleStack(semaphore::release);
        Await.until(
                "all that was released is given out", () -> acquired.sum() == Math.min(littleStack.done(), WAITING));

        semaphore.release(WAITING);
        assertAllEnd(waiting);
        assertThat(semaphore.availablePermits()).isEqualTo((int) littleStack.done());
    }

    @Test
    void aMutexIsNotLeftHeld() throws Exception {
        Mutex mutex = new Mutex();
        Action use = () -> {
            for (int i = 0; i < 100; i++) {
                mutex.lock();
                mutex.unlock();
            }
        };
        mutex.lock();
        List<Running<?>> waiting = startWaiting(use);
        mutex.unlock();

        inLittleStack(() -> {
            unlock(mutex);
            if (mutex.tryLock()) {
                unlock(mutex);
            }
        });

        assertAllEnd(waiting);
        assertThat(mutex.isLocked()).isFalse();
    }

    /** An unlock may find no stack, with a mutex as with any other lock; then it has done nothing, and who is further up does it. */
    private static void unlock(Mutex mutex) {
        if (mutex.isHeldByCurrentThread()) {
            mutex.unlock();
        }
    }

    @Test
    void selectsTakeEffectWhollyOrNotAtAll() throws Exception {
        Channel<Integer> one = Channel.buffered(1);
        Channel<Integer> other = Channel.buffered(1);
        LongAdder balance = new LongAdder();
        Select<Integer> select = Select.of(
                Select.send(one, 1, () -> 1),
                Select.receive(one, _ -> -1),
                Select.send(other, 1, () -> 1),
                Select.receive(other, _ -> -1),
                Select.otherwise(() -> 0));

        inLittleStack(() -> balance.add(select.await()));

        int left = (one.tryReceive() == null ? 0 : 1) + (other.tryReceive() == null ? 0 : 1);
        assertThat(left).isEqualTo(balance.intValue());
    }

    @Test
    void subscribersAndWatchersHearEverything() throws Exception {
        Broadcast<Long> broadcast = Broadcast.waiting(1);
        Watch<Long> watch = Watch.of(0L);
        LongAdder sent = new LongAdder();
        LongAdder heard = new LongAdder();
        Subscription<Long> subscription = broadcast.subscribe();
        Watch.Watcher<Long> watcher = watch.watcher();
        Running<?> subscriber =
                ThreadKind.VIRTUAL.start(skein, called(() -> subscription.forEach(_ -> heard.increment())));
        Running<?> watching = ThreadKind.VIRTUAL.start(skein, called(() -> watcher.forEach(_ -> {})));

        inLittleStack(() -> {
            watch.set(1L);
            if (broadcast.trySend(1L)) {
                sent.increment();
            }
        });
        Await.until("all that was sent is heard", () -> heard.sum() == sent.sum());

        broadcast.close();
        watch.close();
        subscriber.get();
        watching.get();
    }

    // Waits that are given up at once: whoever could get in line can leave it too.

    @Test
    void whoGivesUpIsNotLeftInLine() throws Exception {
        Channel<Integer> empty = Channel.rendezvous();
        Semaphore semaphore = new Semaphore(0);
        ValueEvent<Integer> event = new ValueEvent<>();
        Mutex mutex = new Mutex();
        mutex.lock();

        inLittleStack(() -> {
            switch ((int) littleStack.overflows() % 5) {
                case 0 -> empty.tryReceive(BRIEF);
                case 1 -> empty.trySend(1, BRIEF);
                case 2 -> semaphore.tryAcquire(BRIEF);
                case 3 -> awaitBriefly(event);
                default -> mutex.tryLock(BRIEF);
            }
        });

        ChannelTest.assertQuiet(empty);
        assertThat(semaphore.isDeserted()).isTrue();
        assertThat(event.isDeserted()).isTrue();
        assertThat(mutex.tenure().isDeserted()).isTrue();
        mutex.unlock();
    }

    private static void awaitBriefly(ValueEvent<Integer> event) throws InterruptedException {
        try {
            event.await(BRIEF);
        } catch (TimeoutException e) {
            // as ever
        }
    }

    @Test
    void whoGivesUpBreaksItsBarrier() throws Exception {
        Barrier barrier = new Barrier(2);

        inLittleStack(() -> {
            barrier.reset();
            try {
                barrier.await(BRIEF);
            } catch (TimeoutException | BrokenBarrierException e) {
                // as ever
            }
        });

        barrier.reset();
        assertThat(barrier.waiting()).isZero();
    }

    @Test
    void aSelectThatGivesUpLeavesAllLines() throws Exception {
        Channel<Integer> one = Channel.rendezvous();
        Channel<Integer> other = Channel.rendezvous();
        Select<Integer> select =
                Select.of(Select.receive(one, v -> v), Select.send(other, 1, () -> 1), Select.after(BRIEF, () -> 0));

        inLittleStack(select::await);

        ChannelTest.assertQuiet(one);
        ChannelTest.assertQuiet(other);
    }
}
