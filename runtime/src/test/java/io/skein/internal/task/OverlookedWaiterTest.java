package io.skein.internal.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.RuntimeTest;
import io.skein.Setup;
import io.skein.Task;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A waiter that comes between the look of who ends a task and its write is not told. */
@Setup.OnePerDriver
class OverlookedWaiterTest extends RuntimeTest {
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

    private static VarHandle state() throws ReflectiveOperationException {
        return MethodHandles.privateLookupIn(Completion.class, MethodHandles.lookup())
                .findVarHandle(Completion.class, "state", Object.class);
    }
}
