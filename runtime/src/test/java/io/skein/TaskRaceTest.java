package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.ThreadKind.Running;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two and many awaiters of one task: one runs it, and all have the same outcome. */
@Mode.Each
class TaskRaceTest extends ModeTest {
    private static final Duration SHORT = Duration.ofMillis(250);
    private static final Duration LONG = Duration.ofSeconds(10);

    /** Something that runs a body once: a task, or its broken twin. */
    private interface Once {
        Object await() throws Exception;
    }

    /** A task without the compare-and-set that makes one awaiter the runner. */
    private static final class BrokenTask implements Once {
        private final Callable<Object> body;
        private volatile boolean begun;
        private volatile @Nullable Object value;

        BrokenTask(Callable<Object> body) {
            this.body = body;
        }

        @Override
        public Object await() throws Exception {
            if (!begun) {
                Collision.openWindow();
                begun = true;
                value = body.call();
            }
            while (true) {
                Object seen = value;
                if (seen != null) {
                    return seen;
                }
                Coroutine.yieldNow();
            }
        }
    }

    TaskRaceTest(Mode mode) {
        super(mode);
    }

    private static Once taskOf(Callable<Object> body) {
        return Task.of(body)::await;
    }

    @Test
    void ofTwoAwaitersOneRunsTheBodyAndBothHaveItsValue() throws Exception {
        awaitTogether(TaskRaceTest::taskOf, 2, SHORT);
    }

    @Test
    void ofManyAwaitersOneRunsTheBodyAndAllHaveItsValue() throws Exception {
        awaitTogether(TaskRaceTest::taskOf, 9, SHORT);
    }

    @Test
    @Tag("long")
    void ofManyAwaitersOneRunsTheBodyAndAllHaveItsValueForLong() throws Exception {
        awaitTogether(TaskRaceTest::taskOf, 2, LONG);
        awaitTogether(TaskRaceTest::taskOf, 9, LONG);
    }

    @Test
    void aTaskWithoutCompareAndSetIsCaught() {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> awaitTogether(BrokenTask::new, 2, LONG));
    }

    /** One awaiter is this platform thread, the others are coroutines. */
    private void awaitTogether(Function<Callable<Object>, Once> maker, int awaiters, Duration length) throws Exception {
        Collision.repeat(length, _ -> {
            AtomicInteger runs = new AtomicInteger();
            Once once = maker.apply(() -> {
                runs.incrementAndGet();
                Collision.takeSomeSteps();
                return new Object();
            });
            Collision collision = new Collision(awaiters);
            List<Coroutine<Object>> others = new ArrayList<>();
            for (int i = 1; i < awaiters; i++) {
                others.add(skein.spawn(() -> {
                    collision.meet();
                    return once.await();
                }));
            }
            collision.meet();
            Object value = once.await();

            for (Coroutine<Object> other : others) {
                assertThat(other.join()).isSameAs(value);
            }
            assertThat(runs).hasValue(1);
        });
    }

    @Test
    void anInterruptAgainstTheEndOfATaskLeavesOneOutcomeForAll() throws Exception {
        Collision.repeat(SHORT, _ -> {
            Collision collision = new Collision(2);
            CountDownLatch begun = new CountDownLatch(1);
            Task<String> task = Task.of(() -> {
                begun.countDown();
                collision.meet();
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                return "value";
            });
            Coroutine<String> runner = skein.spawn(task);
            begun.await();
            Running<String> waiter = ThreadKind.VIRTUAL.start(skein, () -> {
                try {
                    return task.await();
                } catch (CancellationException e) {
                    return "cancelled";
                }
            });
            collision.meet();
            runner.cancel(true);

            String seen = waiter.get();
            assertThat(seen)
                    .isEqualTo(
                            switch (task.state()) {
                                case SUCCESS -> "value";
                                case CANCELLED -> "cancelled";
                                default -> "neither";
                            });
            Await.until("the runner has ended", runner::isDone);
            assertThat(runner.state()).isEqualTo(task.state());
        });
    }

    @Test
    void aWaiterThatIsInterruptedAsTheTaskEndsHasItsValueOrTheInterruptAndNeverNeither() throws Exception {
        Collision.repeat(SHORT, _ -> {
            Collision collision = new Collision(2);
            CountDownLatch begun = new CountDownLatch(1);
            Task<String> task = Task.of(() -> {
                begun.countDown();
                collision.meet();
                return "value";
            });
            Coroutine<String> runner = skein.spawn(task);
            begun.await();
            Running<String> waiter = ThreadKind.PLATFORM.start(skein, () -> {
                try {
                    return task.await();
                } catch (InterruptedException e) {
                    return "interrupted";
                }
            });
            collision.meet();
            waiter.thread().interrupt();

            assertThat(waiter.get()).isIn("value", "interrupted");
            assertThat(runner.join()).isEqualTo("value");
        });
    }
}
