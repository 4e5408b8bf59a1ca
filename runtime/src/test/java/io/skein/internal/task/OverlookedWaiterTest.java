package io.skein.internal.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.RuntimeTest;
import io.skein.Setup;
import io.skein.Task;
import io.skein.ThreadKind;
import io.skein.ThreadKind.Running;
import io.skein.internal.loom.Loom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A waiter that comes between the look of who ends a task and its write is not told. */
@Setup.OnePerDriver
class OverlookedWaiterTest extends RuntimeTest {
    private static final long MOMENT_NANOS = 1_000_000;

    OverlookedWaiterTest(Setup setup) {
        super(setup);
    }

    @Test
    void itFindsTheEndByItself() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        Task<String> task = Task.of(() -> {
            begun.countDown();
            goOn.await();
            return "value";
        });
        Coroutine<String> runner = skein.spawn(task);
        begun.await();
        Coroutine<String> waiter = skein.spawn(task);
        Await.untilWaiting(waiter);

        state().setRelease((Completion<?>) task, "value"); // as if the runner had seen nobody

        assertThat(waiter.join()).isEqualTo("value");
        goOn.countDown();
        assertThat(runner.join()).isEqualTo("value");
    }

    /** Else it could be overlooked at each of its looks, however long it has waited. */
    @ParameterizedTest
    @EnumSource
    void itEnlistsOnceHoweverOftenItLooks(ThreadKind kind) throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        Task<String> task = Task.of(() -> {
            begun.countDown();
            goOn.await();
            return "value";
        });
        Coroutine<String> runner = skein.spawn(task);
        begun.await();
        Running<String> waiter = kind.start(skein, task::await);
        Await.until("it is enlisted", () -> enlisted(task) != null);
        Object first = Objects.requireNonNull(enlisted(task));

        Await.until("it has looked three times", () -> enlisted(task) != first || patience(first) >= 8 * MOMENT_NANOS);

        assertThat(enlisted(task)).isSameAs(first);
        goOn.countDown();
        assertThat(waiter.get()).isEqualTo("value");
        assertThat(runner.join()).isEqualTo("value");
    }

    /** Who wakes it may run out of stack. */
    @Test
    void oneThatCannotBeWokenDoesNotTurnASuccessIntoAFailure() throws Exception {
        Thread runner = Thread.currentThread();
        Executor jdk = Loom.executorOf(Thread.ofVirtual().unstarted(() -> {}));
        AtomicBoolean ending = new AtomicBoolean();
        Queue<Runnable> refused = new ConcurrentLinkedQueue<>();
        Executor scheduler = turn -> {
            if (ending.get() && Thread.currentThread() == runner) {
                refused.add(turn);
                throw new StackOverflowError("on purpose");
            }
            jdk.execute(turn);
        };
        AtomicReference<Task<String>> task = new AtomicReference<>();
        FutureTask<String> waiting = new FutureTask<>(() -> task.get().await());
        task.set(Task.of(() -> {
            Thread waiter = Loom.newVirtualThread(scheduler, "waiter", waiting);
            waiter.start();
            Await.until("it is enlisted", () -> enlisted(task.get()) != null);
            Object link = Objects.requireNonNull(enlisted(task.get()));
            Await.until("it rests for long", () -> patience(link) >= 64 * MOMENT_NANOS);
            Await.untilWaiting(waiter);
            ending.set(true);
            return "value";
        }));

        assertThat(task.get().await()).isEqualTo("value");

        assertThat(task.get().await()).isEqualTo("value");
        refused.forEach(jdk::execute);
        assertThat(waiting.get()).isEqualTo("value");
    }

    /** The link of the one waiter there is. */
    private static @Nullable Object enlisted(Task<?> task) throws ReflectiveOperationException {
        return state().getAcquire((Completion<?>) task);
    }

    /** For how long the waiter rests now: each look that finds nothing doubles it. */
    private static long patience(Object link) throws ReflectiveOperationException {
        Method resumer = link.getClass().getDeclaredMethod("resumer");
        resumer.setAccessible(true);
        Object waiter = resumer.invoke(link);
        return (long) MethodHandles.privateLookupIn(waiter.getClass(), MethodHandles.lookup())
                .findVarHandle(waiter.getClass(), "patience", long.class)
                .getOpaque(waiter);
    }

    private static VarHandle state() throws ReflectiveOperationException {
        return MethodHandles.privateLookupIn(Completion.class, MethodHandles.lookup())
                .findVarHandle(Completion.class, "state", Object.class);
    }
}
