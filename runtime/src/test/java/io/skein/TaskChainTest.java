package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A million awaits in a row and ten thousand in one another. */
@Mode.Each
class TaskChainTest extends ModeTest {
    private static final int MILLION = 1_000_000;
    private static final int DEPTH = 10_000;

    /** A stack that is to be suspended has to fit into one piece of the heap, whose size the collector decides. */
    private static final int DEPTH_TO_WAIT_AT = 1_000;

    TaskChainTest(Mode mode) {
        super(mode);
    }

    /** Some coroutines here fail before their joiner comes, so the handler may hear of them too. */
    @BeforeEach
    void expectFailures() {
        expectUnheardFailures();
    }

    @Test
    void aMillionReadyTasksAreAwaitedInALoop() throws Exception {
        long sum = skein.blockOn(() -> {
            long total = 0;
            for (int i = 0; i < MILLION; i++) {
                int number = i;
                total += Task.of(() -> number).await();
            }
            return total;
        });

        assertThat(sum).isEqualTo(MILLION * (MILLION - 1L) / 2);
    }

    @Test
    void theSameDoneTaskIsAwaitedAMillionTimes() throws Exception {
        long sum = skein.blockOn(() -> {
            Task<Integer> task = Task.of(() -> 3);
            long total = 0;
            for (int i = 0; i < MILLION; i++) {
                total += task.await();
            }
            return total;
        });

        assertThat(sum).isEqualTo(3L * MILLION);
    }

    @Test
    void awaitingInALoopDoesNotDeepenTheStack() throws Exception {
        skein.blockOn(() -> {
            long first = Task.of(TaskChainTest::depthOfStack).await();
            long last = 0;
            for (int i = 0; i < 10_000; i++) {
                last = Task.of(TaskChainTest::depthOfStack).await();
            }

            assertThat(last).isEqualTo(first);
        });
    }

    @Test
    void aTaskThatCompletesAtOnceIsAwaitedWithoutAHopThroughTheQueue() throws Exception {
        skein.blockOn(() -> {
            Coroutine.yieldNow(); // so that what led here is counted
            long before = runs();
            for (int i = 0; i < 100_000; i++) {
                Task.of(() -> "ready").await();
            }

            assertThat(runs() - before).as("runs of all workers").isLessThan(100);
        });
    }

    @Test
    void aChainOfTenThousandTasksGivesItsValue() throws Exception {
        Task<Integer> chain = chain(DEPTH, () -> 0);

        assertThat(skein.blockOn(chain::await)).isEqualTo(DEPTH);
    }

    @Test
    void aChainOfAThousandTasksParksAtItsBottomAndGoesOn() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch bottom = new CountDownLatch(1);
        Task<Integer> chain = chain(DEPTH_TO_WAIT_AT, () -> {
            bottom.countDown();
            release.await();
            return 0;
        });
        Coroutine<Integer> coroutine = skein.spawn(chain);
        awaitBottom(bottom, coroutine);
        assertThat(skein.blockOn(() -> "meanwhile")).isEqualTo("meanwhile");

        release.countDown();

        assertThat(coroutine.join()).isEqualTo(DEPTH_TO_WAIT_AT);
    }

    @Test
    void aChainOfAThousandTasksYieldsAtItsBottomManyTimes() throws Exception {
        Task<Integer> chain = chain(DEPTH_TO_WAIT_AT, () -> {
            for (int i = 0; i < 100; i++) {
                Coroutine.yieldNow();
            }
            return 0;
        });

        assertThat(skein.blockOn(chain::await)).isEqualTo(DEPTH_TO_WAIT_AT);
    }

    /** Of ten thousand only with one worker: each of them has a stack trace of its own, which takes seconds. */
    @Test
    void aFailureAtTheBottomOfThousandsOfTasksReachesTheTop() {
        int depth = mode.equals(new Mode(Scheduling.STEALING, 1)) ? DEPTH : DEPTH / 10;
        IOException failure = new IOException("the lowest thread snapped");
        Task<Integer> chain = chain(depth, () -> {
            throw failure;
        });

        Throwable thrown = catchThrowable(() -> skein.blockOn(() -> {
            Throwable atTheTop = catchThrowable(chain::await);
            assertThat(atTheTop).isInstanceOf(CompletionException.class);
            assertThat(StackTraces.rootCauseOf(atTheTop)).isSameAs(failure);
            assertThat(atTheTop.getMessage()).as("what people read").hasSizeLessThan(10_000);
        }));

        assertThat(thrown).isNull();
        assertThat(chain.state()).isEqualTo(Future.State.FAILED);
    }

    @Test
    void aFailureAtTheBottomOfTenThousandCallsArrivesAsItIs() {
        IOException failure = new IOException("the lowest thread snapped");
        Task<Integer> chain = Task.of(() -> {
            throw failure;
        });
        for (int i = 0; i < DEPTH; i++) {
            Task<Integer> next = chain;
            chain = Task.of(() -> next.call() + 1);
        }
        Task<Integer> top = chain;

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> skein.blockOn(top))
                .withCause(failure);
    }

    @Test
    void aCancelAtTheBottomOfAThousandTasksEndsThemAll() {
        CountDownLatch bottom = new CountDownLatch(1);
        Task<Integer> chain = chain(DEPTH_TO_WAIT_AT, () -> {
            bottom.countDown();
            new CountDownLatch(1).await();
            return 0;
        });
        Coroutine<Integer> coroutine = skein.spawn(chain);
        awaitBottom(bottom, coroutine);

        coroutine.cancel(true);

        assertThatExceptionOfType(CancellationException.class).isThrownBy(coroutine::join);
        assertThat(chain.state()).isEqualTo(Future.State.CANCELLED);
    }

    @Test
    void eachTaskOfAChainRunsOnce() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Task<Integer> chain = Task.of(runs::incrementAndGet);
        for (int i = 1; i < 1000; i++) {
            Task<Integer> next = chain;
            chain = Task.of(() -> {
                next.await();
                next.await();
                return runs.incrementAndGet();
            });
        }

        assertThat(skein.blockOn(chain)).isEqualTo(1000);
    }

    /** Returns once the bottom waits; fails with the first cause if it does not come to that. */
    private static void awaitBottom(CountDownLatch bottom, Coroutine<?> coroutine) {
        Await.until(
                "the bottom waits",
                () -> coroutine.isDone()
                        || (bottom.getCount() == 0 && coroutine.thread().getState() == Thread.State.WAITING));
        if (coroutine.isDone()) {
            throw new AssertionError("the chain ended", StackTraces.rootCauseOf(coroutine.exceptionNow()));
        }
    }

    private static Task<Integer> chain(int depth, Callable<Integer> bottom) {
        Task<Integer> chain = Task.of(bottom);
        for (int i = 0; i < depth; i++) {
            Task<Integer> next = chain;
            chain = Task.of(() -> next.await() + 1);
        }
        return chain;
    }

    private static long depthOfStack() {
        return StackWalker.getInstance().walk(frames -> frames.count());
    }

    private long runs() {
        return skein.metrics().workers().stream()
                .mapToLong(Metrics.Worker::runs)
                .sum();
    }
}
