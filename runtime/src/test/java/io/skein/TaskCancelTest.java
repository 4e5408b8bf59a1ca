package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.skein.ThreadKind.Running;
import io.skein.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an interrupt does to a task: to the one who runs it, and to those who wait for it. */
@Mode.Each
class TaskCancelTest extends ModeTest {
    TaskCancelTest(Mode mode) {
        super(mode);
    }

    private static Task<String> endless() {
        return Task.of("endless", () -> {
            new CountDownLatch(1).await();
            return "never";
        });
    }

    @ParameterizedTest
    @EnumSource
    void whoIsInterruptedInTheBodyGetsTheInterruptItself(ThreadKind kind) throws Exception {
        InterruptedException interrupt = new InterruptedException("by the test");
        Task<String> task = Task.of(() -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw interrupt;
            }
            return "never";
        });
        Running<Throwable> runner = kind.start(skein, () -> catchThrowable(task::await));
        runner.awaitWaiting();

        runner.thread().interrupt();

        assertThat(runner.get()).isSameAs(interrupt);
        assertThat(task.state()).isEqualTo(Future.State.CANCELLED);
        assertThat(task.isDone()).isTrue();
    }

    @Test
    void whoWaitsForATaskThatIsInterruptedHearsOfACancellation() throws Exception {
        Task<String> task = endless();
        Coroutine<String> runner = skein.spawn(task);
        Await.untilWaiting(runner);
        List<Running<Throwable>> waiters = waitersOf(task);

        runner.cancel(true);

        for (Running<Throwable> waiter : waiters) {
            assertThat(waiter.get()).isInstanceOf(CancellationException.class);
        }
        assertThatExceptionOfType(CancellationException.class).isThrownBy(runner::join);
    }

    /** As libraries do that turn interrupts into exceptions of their own, without a cause. */
    private static Task<String> disguising() {
        return Task.of("disguising", () -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new IOException("connection lost");
            }
            return "never";
        });
    }

    @Test
    void whoWaitsForATaskThatMakesAFailureOfACancelHearsOfACancellation() throws Exception {
        Task<String> task = disguising();
        Coroutine<Throwable> runner = skein.spawn(() -> {
            Throwable thrown = catchThrowable(task::await);
            boolean _ = Thread.interrupted();
            return thrown;
        });
        Await.untilWaiting(runner);
        List<Running<Throwable>> waiters = waitersOf(task);

        runner.cancel(true);

        for (Running<Throwable> waiter : waiters) {
            assertThat(waiter.get())
                    .isInstanceOf(CancellationException.class)
                    .hasRootCauseInstanceOf(IOException.class);
        }
        assertThat(runner.join()).isInstanceOf(CompletionException.class).hasRootCauseMessage("connection lost");
        assertThat(task.state()).isEqualTo(Future.State.CANCELLED);
    }

    @ParameterizedTest
    @EnumSource
    void soDoesWhoWaitsForOneThatMakesAFailureOfATimeout(ThreadKind kind) throws Exception {
        Task<String> task = disguising();

        Throwable late = kind.call(
                skein,
                () -> catchThrowable(() -> Time.<String>timeout(
                        Duration.ofMillis(1), () -> Time.<String>timeout(Duration.ofMinutes(1), task))));

        assertThat(late).isInstanceOf(TimeoutException.class).hasRootCauseMessage("connection lost");
        for (Running<Throwable> waiter : waitersOf(task)) {
            assertThat(waiter.get()).isInstanceOf(CancellationException.class);
        }
    }

    @Test
    void aFailureOfATaskInACoroutineThatNobodyHasCancelledIsAFailureForAll() throws Exception {
        Task<String> task = disguising();
        Coroutine<Throwable> runner = skein.spawn(() -> catchThrowable(task::await));
        Await.untilWaiting(runner);

        runner.thread().interrupt(); // by hand: nobody knows that the failure comes of it

        assertThat(runner.join()).isInstanceOf(CompletionException.class);
        assertThatExceptionOfType(CompletionException.class).isThrownBy(task::await);
    }

    /** The interrupt is held back, so the failure does not come of it. */
    @Test
    void aTaskThatFailsInAShieldedSectionHasFailedForAll() throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        Task<String> task = Task.of("cleaning", () -> {
            cancelled.await();
            throw new IOException("its own");
        });
        Coroutine<Throwable> runner = skein.spawn(() -> Coroutine.shielded(() -> catchThrowable(task::await)));
        Await.untilWaiting(runner);
        List<Running<Throwable>> waiters = waitersOf(task);

        runner.cancel(true);
        cancelled.countDown();

        assertThat(runner.join()).isInstanceOf(CompletionException.class);
        for (Running<Throwable> waiter : waiters) {
            assertThat(waiter.get()).hasMessageContaining("its own");
        }
        assertThat(task.state()).isEqualTo(Future.State.FAILED);
    }

    private List<Running<Throwable>> waitersOf(Task<String> task) throws Exception {
        List<Running<Throwable>> waiters = new ArrayList<>();
        boolean running = !task.isDone();
        for (ThreadKind kind : ThreadKind.values()) {
            waiters.add(kind.start(skein, () -> catchThrowable(task::await)));
            waiters.add(kind.start(skein, () -> catchThrowable(task::call)));
        }
        if (running) {
            waiters.forEach(Running::awaitWaiting);
        }
        return waiters;
    }

    @ParameterizedTest
    @EnumSource
    void whoAwaitsACancelledTaskLaterHearsOfTheCancellation(ThreadKind kind) throws Exception {
        Task<String> task = endless();
        cancelByInterrupt(task);

        assertThat(kind.call(skein, () -> catchThrowable(task::await))).isInstanceOf(CancellationException.class);
        assertThat(kind.call(skein, () -> catchThrowable(task::call))).isInstanceOf(CancellationException.class);
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptedWaiterStopsWaitingAndTheTaskGoesOn(ThreadKind kind) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Task<String> task = Task.of(() -> {
            release.await();
            return "done all the same";
        });
        Coroutine<String> runner = skein.spawn(task);
        Await.untilWaiting(runner);
        Coroutine<String> patient = skein.spawn(task::await);
        Running<Throwable> waiter = kind.start(skein, () -> catchThrowable(task::await));
        waiter.awaitWaiting();
        Await.untilWaiting(patient);

        waiter.thread().interrupt();

        assertThat(waiter.get()).isInstanceOf(InterruptedException.class);
        assertThat(task.isDone()).isFalse();
        release.countDown();
        assertThat(patient.join()).isEqualTo("done all the same");
        assertThat(runner.join()).isEqualTo("done all the same");
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptedThreadThatWouldWaitForATaskDoesNotWait(ThreadKind kind) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Task<String> task = Task.of(() -> {
            release.await();
            return "value";
        });
        Coroutine<String> runner = skein.spawn(task);
        Await.untilWaiting(runner);

        Throwable thrown = kind.call(skein, () -> {
            Thread.currentThread().interrupt();
            return catchThrowable(task::await);
        });

        assertThat(thrown).isInstanceOf(InterruptedException.class);
        release.countDown();
        runner.join();
    }

    @ParameterizedTest
    @EnumSource
    void anAwaitOfADoneTaskIsNotInterrupted(ThreadKind kind) throws Exception {
        IOException failure = new IOException("thread snapped");
        Task<String> value = Task.of(() -> "value");
        Task<String> failed = Task.of(() -> {
            throw failure;
        });
        Task<String> cancelled = endless();
        value.await();
        assertThat(catchThrowable(failed::await)).hasCause(failure);
        cancelByInterrupt(cancelled);

        kind.call(skein, () -> {
            Thread.currentThread().interrupt();
            assertThat(value.await()).isEqualTo("value");
            assertThat(value.call()).isEqualTo("value");
            assertThatExceptionOfType(CompletionException.class).isThrownBy(failed::await);
            assertThatExceptionOfType(IOException.class).isThrownBy(failed::call);
            assertThatExceptionOfType(CancellationException.class).isThrownBy(cancelled::await);
            assertThatExceptionOfType(CancellationException.class).isThrownBy(cancelled::call);
            assertThat(Thread.interrupted()).as("interrupt status").isTrue();
            return "checked";
        });
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptedThreadRunsABodyThatDoesNotWait(ThreadKind kind) throws Exception {
        Task<Boolean> task = Task.of(() -> Thread.currentThread().isInterrupted());

        boolean statusBefore = kind.call(skein, () -> {
            Thread.currentThread().interrupt();
            boolean seenInside = task.await();
            return seenInside && Thread.interrupted();
        });

        assertThat(statusBefore).isTrue();
    }

    @Test
    void aBodyThatReturnsInSpiteOfAnInterruptHasItsValue() throws Exception {
        Task<String> task = Task.of(() -> {
            try {
                new CountDownLatch(1).await();
                return "never";
            } catch (InterruptedException e) {
                return "in spite of it";
            }
        });
        Coroutine<String> runner = skein.spawn(task);
        Await.untilWaiting(runner);

        runner.cancel(true);

        assertThat(runner.join()).isEqualTo("in spite of it");
        assertThat(task.await()).isEqualTo("in spite of it");
        assertThat(task.state()).isEqualTo(Future.State.SUCCESS);
    }

    @Test
    void aTaskWhoseCoroutineIsCancelledAtOnceEndsCancelled() throws Exception {
        Task<String> task = endless();
        Coroutine<String> coroutine = skein.spawn(task);

        coroutine.cancel(true);

        assertThatExceptionOfType(CancellationException.class).isThrownBy(coroutine::join);
        assertThat(task.state()).isEqualTo(Future.State.CANCELLED);
    }

    private void cancelByInterrupt(Task<String> task) {
        Coroutine<String> runner = skein.spawn(task);
        Await.untilWaiting(runner);
        runner.cancel(true);
        assertThatExceptionOfType(CancellationException.class).isThrownBy(runner::join);
    }
}
