package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skein.Await;
import io.skein.Collision;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.ThreadKind;
import io.skein.ThreadKind.Running;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Conditions: who waits does not hold the mutex, and holds it again however the wait ends. */
@Mode.Each
class ConditionTest extends ModeTest {
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Mutex mutex = new Mutex();
    private final Condition condition = mutex.newCondition();

    ConditionTest(Mode mode) {
        super(mode);
    }

    /** Waits with the mutex held, and tells how that ended, after it has made sure that it holds the mutex. */
    private Running<String> waiting(ThreadKind kind, Waitable.Step wait) {
        Running<String> running = kind.start(skein, () -> {
            String end = "signalled";
            mutex.lock();
            try {
                wait.take();
            } catch (InterruptedException e) {
                end = "interrupted";
            }
            mutex.unlock(); // throws if it does not hold it
            return Thread.interrupted() ? end + " with status" : end;
        });
        Await.until("it waits", () -> isParked(running) && !mutex.isLocked());
        return running;
    }

    private static boolean isParked(Running<?> running) {
        Thread.State state = running.thread().getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    @Test
    void onlyTheHolderMayUseIt() {
        for (Waitable.Step step : List.<Waitable.Step>of(
                condition::await,
                () -> condition.await(SHORT),
                () -> condition.await(() -> true),
                () -> condition.await(() -> true, SHORT),
                condition::signal,
                condition::signalAll)) {
            assertThatThrownBy(step::take)
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining("does not hold the mutex");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSignalReachesTheOneWhoHasWaitedLongest(ThreadKind kind) throws Exception {
        Running<String> first = waiting(kind, condition::await);
        Running<String> second = waiting(kind, condition::await);

        mutex.withLock(condition::signal);
        assertThat(first.get()).isEqualTo("signalled");
        assertThat(second.outcome().isDone()).isFalse();

        mutex.withLock(condition::signal);
        assertThat(second.get()).isEqualTo("signalled");
    }

    @Test
    void aSignalIsNotKeptForThoseWhoComeLater() throws Exception {
        mutex.lock();
        condition.signal();
        condition.signalAll();
        assertThat(condition.await(SHORT)).isFalse();
        mutex.unlock();
    }

    @ParameterizedTest
    @EnumSource
    void whoIsSignalledGoesOnWhenTheSignallerHasLeft(ThreadKind kind) throws Exception {
        Running<String> waiting = waiting(kind, condition::await);

        mutex.lock();
        condition.signal();
        waiting.awaitWaiting();
        assertThat(waiting.outcome().isDone()).isFalse();
        mutex.unlock();

        assertThat(waiting.get()).isEqualTo("signalled");
        assertThat(mutex.tenure().isDeserted()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void theTimeIsUpWithTheMutexHeldAgain(ThreadKind kind) throws Exception {
        boolean signalled = kind.call(skein, () -> mutex.withLock(() -> condition.await(SHORT)));

        assertThat(signalled).isFalse();
        assertThat(condition.isDeserted()).isTrue();
        assertThat(mutex.isLocked()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void whoIsInterruptedWaitsForTheMutexBeforeItTells(ThreadKind kind) throws Exception {
        Running<String> waiting = waiting(kind, condition::await);
        mutex.lock();

        waiting.thread().interrupt();
        Await.until("it has left the condition", condition::isDeserted);
        waiting.awaitWaiting();
        assertThat(waiting.outcome().isDone()).isFalse();
        mutex.unlock();

        assertThat(waiting.get()).isEqualTo("interrupted");
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptAfterTheSignalIsKeptAndTheSignalCounts(ThreadKind kind) throws Exception {
        Running<String> untimed = waiting(kind, condition::await);
        Running<String> timed =
                waiting(kind, () -> assertThat(condition.await(LONG)).isTrue());
        mutex.lock();
        condition.signalAll();

        untimed.thread().interrupt();
        timed.thread().interrupt();
        untimed.awaitWaiting();
        timed.awaitWaiting();
        mutex.unlock();

        assertThat(untimed.get()).isEqualTo("signalled with status");
        assertThat(timed.get()).isEqualTo("signalled with status");
        assertThat(mutex.isLocked()).isFalse();
        assertThat(mutex.tenure().isDeserted()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aSignalGoesPastWhoGaveUp(ThreadKind kind) throws Exception {
        Running<String> first = waiting(kind, condition::await);
        Running<String> second = waiting(kind, condition::await);
        first.thread().interrupt();
        assertThat(first.get()).isEqualTo("interrupted");

        mutex.withLock(condition::signal);

        assertThat(second.get()).isEqualTo("signalled");
    }

    @ParameterizedTest
    @EnumSource
    void aPredicateIsAwaitedPastSignalsThatComeTooEarly(ThreadKind kind) throws Exception {
        boolean[] ready = {false};
        Running<String> waiting = waiting(kind, () -> condition.await(() -> ready[0]));

        for (int i = 0; i < 3; i++) {
            mutex.withLock(condition::signalAll);
            Await.until("it waits again", () -> isParked(waiting) && !condition.isDeserted());
        }
        mutex.withLock(() -> {
            ready[0] = true;
            condition.signalAll();
        });

        assertThat(waiting.get()).isEqualTo("signalled");
    }

    @Test
    void aPredicateThatHoldsIsNotWaitedFor() throws Exception {
        mutex.lock();
        condition.await(() -> true);
        assertThat(condition.await(() -> true, Duration.ZERO)).isTrue();
        assertThat(condition.await(() -> false, SHORT)).isFalse();
        mutex.unlock();
    }

    @Test
    void aPredicateThatFailsLeavesTheMutexHeld() throws Exception {
        mutex.lock();
        assertThatThrownBy(() -> condition.await(() -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");
        assertThat(mutex.isHeldByCurrentThread()).isTrue();
        mutex.unlock();
    }

    @Test
    void producersAndConsumersOfABoundedBufferLoseNothing() throws Exception {
        int perProducer = 500;
        Condition notFull = mutex.newCondition();
        Queue<Integer> buffer = new ArrayDeque<>();
        Queue<Integer> received = new ConcurrentLinkedQueue<>();
        List<Running<Void>> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ThreadKind kind = ThreadKind.inTurn(i);
            int first = i * perProducer;
            all.add(kind.start(skein, () -> {
                for (int item = first; item < first + perProducer; item++) {
                    int next = item;
                    mutex.withLock(() -> {
                        notFull.await(() -> buffer.size() < 3);
                        buffer.add(next);
                        condition.signal();
                    });
                }
                return null;
            }));
            all.add(kind.start(skein, () -> {
                for (int taken = 0; taken < perProducer; taken++) {
                    mutex.withLock(() -> {
                        condition.await(() -> !buffer.isEmpty());
                        received.add(buffer.remove());
                        notFull.signal();
                    });
                }
                return null;
            }));
        }
        for (Running<Void> each : all) {
            each.get();
        }

        assertThat(received).hasSize(3 * perProducer).doesNotHaveDuplicates();
        assertThat(buffer).isEmpty();
    }

    @Test
    void aSignalAgainstAnInterruptReachesSomebody() throws Exception {
        Collision.repeat(Duration.ofMillis(200), round -> {
            ThreadKind kind = ThreadKind.inTurn(round);
            Running<String> first = waiting(kind, condition::await);
            Running<String> second = waiting(kind, condition::await);
            Collision collision = new Collision(2);
            Running<Void> interrupter = ThreadKind.PLATFORM.start(skein, () -> {
                collision.meet();
                first.thread().interrupt();
                return null;
            });
            collision.meet();
            mutex.withLock(condition::signal);

            interrupter.get();
            if (first.get().startsWith("signalled")) {
                second.awaitWaiting();
                assertThat(second.outcome().isDone()).isFalse();
                mutex.withLock(condition::signal);
            }
            assertThat(second.get()).isEqualTo("signalled");
        });
    }
}
