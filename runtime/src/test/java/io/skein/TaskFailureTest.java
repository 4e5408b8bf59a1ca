package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.skein.ThreadKind.Running;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A task that fails, fails for everybody who awaits it. */
@Mode.Each
class TaskFailureTest extends ModeTest {
    TaskFailureTest(Mode mode) {
        super(mode);
    }

    /** Some coroutines here fail before their joiner comes, so the handler may hear of them too. */
    @BeforeEach
    void expectFailures() {
        expectUnheardFailures();
    }

    @ParameterizedTest
    @EnumSource
    void awaitWrapsTheFailureOfTheBody(ThreadKind kind) throws Exception {
        IOException failure = new IOException("thread snapped");
        Task<String> task = Task.of(() -> {
            throw failure;
        });

        Throwable thrown = kind.call(skein, () -> catchThrowable(task::await));

        assertThat(thrown).isInstanceOf(CompletionException.class).cause().isSameAs(failure);
    }

    @Test
    void awaitWrapsAnErrorToo() throws Exception {
        AssertionError failure = new AssertionError("wrong pattern");
        Task<String> task = Task.of(() -> {
            throw failure;
        });

        Throwable thrown = skein.blockOn(() -> catchThrowable(task::await));

        assertThat(thrown).isInstanceOf(CompletionException.class).cause().isSameAs(failure);
    }

    @Test
    void theMessageHasTheNameOfTheTaskAndItsFailure() throws Exception {
        IOException failure = new IOException("thread snapped");
        Task<String> task = Task.of("weave the cloth", () -> {
            throw failure;
        });

        Throwable thrown = skein.blockOn(() -> catchThrowable(task::await));

        assertThat(thrown).hasMessageContaining("weave the cloth").hasMessageContaining(failure.toString());
    }

    @Test
    void theStackTracesShowBothTheAwaitAndTheFailure() throws Exception {
        Task<String> task = Task.of(TaskFailureTest::snap);

        Throwable first = skein.blockOn(() -> catchThrowable(() -> awaitHere(task)));
        Throwable later = skein.blockOn(() -> catchThrowable(() -> awaitThere(task)));

        assertThat(StackTraces.methodsOf(first)).contains("awaitHere").doesNotContain("awaitThere");
        assertThat(StackTraces.methodsOf(later)).contains("awaitThere").doesNotContain("awaitHere");
        assertThat(StackTraces.methodsOf(first.getCause())).contains("snap");
        assertThat(later.getCause()).isSameAs(first.getCause());
    }

    @Test
    void everyAwaiterThatWaitsGetsTheFailureInAnExceptionOfItsOwn() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        IOException failure = new IOException("thread snapped");
        Task<String> task = Task.of(() -> {
            release.await();
            throw failure;
        });
        Coroutine<String> runner = skein.spawn(task);
        Await.untilWaiting(runner);
        List<Running<Throwable>> waiters = new ArrayList<>();
        for (ThreadKind kind : ThreadKind.values()) {
            waiters.add(kind.start(skein, () -> catchThrowable(task::await)));
        }
        waiters.forEach(Running::awaitWaiting);

        release.countDown();

        List<Throwable> thrown = new ArrayList<>();
        for (Running<Throwable> waiter : waiters) {
            thrown.add(waiter.get());
        }
        assertThat(thrown)
                .doesNotHaveDuplicates()
                .allSatisfy(each -> assertThat(each)
                        .isInstanceOf(CompletionException.class)
                        .cause()
                        .isSameAs(failure));
    }

    @Test
    void aTaskThatFailedDoesNotRunAgain() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Task<String> task = Task.of(() -> {
            throw new IOException("run " + runs.incrementAndGet());
        });

        Throwable first = skein.blockOn(() -> catchThrowable(task::await));
        Throwable second = skein.blockOn(() -> catchThrowable(task::await));

        assertThat(runs).hasValue(1);
        assertThat(second.getCause()).isSameAs(first.getCause());
        assertThat(task.isDone()).isTrue();
        assertThat(task.state()).isEqualTo(Future.State.FAILED);
    }

    @ParameterizedTest
    @EnumSource
    void callThrowsTheFailureAsItIsEachTime(ThreadKind kind) throws Exception {
        IOException failure = new IOException("thread snapped");
        Task<String> task = Task.of(() -> {
            throw failure;
        });

        assertThat(kind.call(skein, () -> catchThrowable(task::call))).isSameAs(failure);
        assertThat(kind.call(skein, () -> catchThrowable(task::call))).isSameAs(failure);
    }

    @Test
    void whoWaitsInCallGetsTheFailureAsItIs() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        AssertionError failure = new AssertionError("wrong pattern");
        Task<String> task = Task.of(() -> {
            release.await();
            throw failure;
        });
        Coroutine<String> runner = skein.spawn(task);
        Await.untilWaiting(runner);
        Coroutine<Throwable> waiter = skein.spawn(() -> catchThrowable(task::call));
        Await.untilWaiting(waiter);

        release.countDown();

        assertThat(waiter.join()).isSameAs(failure);
    }

    @Test
    void aSpawnedTaskFailsWithTheFailureOfItsBody() {
        IOException failure = new IOException("thread snapped");
        Coroutine<String> coroutine = skein.spawn(Task.of(() -> {
            throw failure;
        }));

        assertThatThrownBy(coroutine::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isSameAs(failure);
        assertThat(coroutine.exceptionNow()).isSameAs(failure);
    }

    private static String snap() throws IOException {
        throw new IOException("thread snapped");
    }

    private static void awaitHere(Task<?> task) throws InterruptedException {
        task.await();
    }

    private static void awaitThere(Task<?> task) throws InterruptedException {
        task.await();
    }
}
