package io.skein;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.ThreadKind.Running;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A task is lazy, runs at most once, and whoever awaits it first runs it inline. */
@Mode.Each
class TaskAwaitTest extends ModeTest {
    TaskAwaitTest(Mode mode) {
        super(mode);
    }

    @Test
    void aTaskThatNobodyAwaitsDoesNotRun() throws Exception {
        AtomicBoolean ran = new AtomicBoolean();
        Task<Boolean> task = skein.blockOn(() -> Task.of(() -> ran.getAndSet(true)));

        skein.close();

        assertThat(ran).isFalse();
        assertThat(task.isDone()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void theFirstAwaiterRunsTheBodyOnItsOwnThread(ThreadKind kind) throws Exception {
        boolean same = kind.call(skein, () -> Task.of(Thread::currentThread).await() == Thread.currentThread());

        assertThat(same).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void theBodyRunsOnceHoweverOftenItIsAwaited(ThreadKind kind) throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Task<Integer> task = Task.of(runs::incrementAndGet);

        for (int i = 0; i < 5; i++) {
            assertThat(kind.call(skein, task::await)).isEqualTo(1);
        }

        assertThat(runs).hasValue(1);
    }

    /** A task knows by a thread who runs its body. */
    @Test
    void theBodyMayBeAThreadItself() throws Exception {
        class CallableThread extends Thread implements Callable<String> {
            @Override
            public String call() {
                return "called";
            }
        }

        assertThat(skein.blockOn(() -> Task.of(new CallableThread()).await())).isEqualTo("called");
    }

    @Test
    void everyLaterAwaiterGetsTheSameValue() throws Exception {
        Task<Object> task = Task.of(Object::new);

        Object value = skein.blockOn(task::await);

        assertThat(skein.blockOn(task::await)).isSameAs(value);
        assertThat(task.await()).isSameAs(value);
        assertThat(task.call()).isSameAs(value);
    }

    @Test
    void nullIsAValueLikeAnyOther() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Task<?> task = Task.of(() -> {
            runs.incrementAndGet();
            return null;
        });

        assertThat(skein.<Object>blockOn(task::await)).isNull();
        assertThat(skein.<Object>blockOn(task::await)).isNull();
        assertThat(task.state()).isEqualTo(Future.State.SUCCESS);
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void whoAwaitsARunningTaskWaitsForItsValue(ThreadKind runner) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch began = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        Task<Object> task = Task.of(() -> {
            runs.incrementAndGet();
            began.countDown();
            release.await();
            return new Object();
        });
        Running<Object> first = runner.start(skein, task::await);
        began.await();
        List<Running<Object>> others = new ArrayList<>();
        for (ThreadKind kind : ThreadKind.values()) {
            others.add(kind.start(skein, task::await));
            others.add(kind.start(skein, task));
        }
        others.forEach(Running::awaitWaiting);

        release.countDown();

        Object value = first.get();
        for (Running<Object> other : others) {
            assertThat(other.get()).isSameAs(value);
        }
        assertThat(runs).hasValue(1);
    }

    @Test
    void whoWaitsForATaskLeavesItsWorkerToOthers() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Task<String> task = Task.of(() -> {
            release.await();
            return "woven";
        });
        Coroutine<String> runner = skein.spawn(task);
        Await.untilWaiting(runner);
        List<Coroutine<String>> waiters = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            waiters.add(skein.spawn(task::await));
        }
        waiters.forEach(Await::untilWaiting);

        assertThat(skein.blockOn(() -> "meanwhile")).isEqualTo("meanwhile");

        release.countDown();
        for (Coroutine<String> waiter : waiters) {
            assertThat(waiter.join()).isEqualTo("woven");
        }
    }

    @Test
    void aSpawnedTaskRunsInTheSpawnedCoroutine() throws Exception {
        Task<Thread> task = Task.of(Thread::currentThread);

        Coroutine<Thread> coroutine = skein.spawn(task);

        assertThat(coroutine.join()).isSameAs(coroutine.thread());
        assertThat(task.await()).isSameAs(coroutine.thread());
    }

    @Test
    void aTaskSpawnedTwiceRunsOnceAndBothHaveItsValue() throws Exception {
        Task<Object> task = Task.of(Object::new);

        Coroutine<Object> first = skein.spawn(task);
        Coroutine<Object> second = skein.spawn(task);

        assertThat(first.join()).isSameAs(second.join());
    }

    @Test
    void whoAwaitsASpawnedTaskGetsItsValue() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Task<String> task = Task.of(() -> {
            release.await();
            return "concurrently";
        });

        String value = skein.blockOn(() -> {
            var _ = Skein.current().spawn(task);
            release.countDown();
            return task.await();
        });

        assertThat(value).isEqualTo("concurrently");
    }

    @Test
    void aTaskIsACallableThatGivesItsValue() throws Exception {
        Callable<String> callable = Task.of(() -> "called");

        assertThat(skein.blockOn(callable)).isEqualTo("called");
    }

    @Test
    void theStateOfATaskFollowsItsLife() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Task<String> task = Task.of(() -> {
            release.await();
            return "value";
        });
        assertThat(task.state()).isEqualTo(Future.State.RUNNING);
        assertThat(task.isDone()).isFalse();

        Coroutine<String> runner = skein.spawn(task);
        Await.untilWaiting(runner);
        assertThat(task.state()).isEqualTo(Future.State.RUNNING);
        assertThat(task.isDone()).isFalse();

        release.countDown();
        runner.join();
        assertThat(task.state()).isEqualTo(Future.State.SUCCESS);
        assertThat(task.isDone()).isTrue();
    }

    @Test
    void aTaskHasTheNameItWasGivenOrOneOfItsOwn() {
        assertThat(Task.of("weave", () -> "cloth").name()).isEqualTo("weave");
        assertThat(Task.of(() -> "cloth").name()).isNotBlank();
    }

    @Test
    void tasksAwaitTasks() throws Exception {
        Task<Integer> one = Task.of(() -> 1);
        Task<Integer> two = Task.of(() -> one.await() + one.await());
        Task<Integer> five = Task.of(() -> two.await() * two.await() + one.await());

        assertThat(skein.blockOn(five::await)).isEqualTo(5);
    }

    @Test
    void whatTheBodyWroteIsSeenByEveryAwaiter() throws Exception {
        for (int round = 0; round < 200; round++) {
            int[] plain = new int[1];
            int written = round + 1;
            Task<String> task = Task.of(() -> {
                plain[0] = written;
                return "written";
            });
            List<Coroutine<Integer>> readers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                readers.add(skein.spawn(() -> {
                    task.await();
                    return plain[0];
                }));
            }
            for (Coroutine<Integer> reader : readers) {
                assertThat(reader.join()).isEqualTo(written);
            }
        }
    }
}
