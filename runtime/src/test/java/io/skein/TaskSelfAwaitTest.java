package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A task that awaits itself is told so and does not hang. */
@Mode.Each
class TaskSelfAwaitTest extends ModeTest {
    private final AtomicReference<Task<String>> self = new AtomicReference<>();

    TaskSelfAwaitTest(Mode mode) {
        super(mode);
    }

    private String awaitSelf() throws InterruptedException {
        return self.get().await();
    }

    @ParameterizedTest
    @EnumSource
    void aTaskThatAwaitsItselfFailsWithAClearError(ThreadKind kind) throws Exception {
        self.set(Task.of("ouroboros", this::awaitSelf));

        Throwable thrown = kind.call(skein, () -> catchThrowable(this::awaitSelf));

        assertThat(thrown)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ouroboros")
                .hasMessageContaining("awaits itself");
        assertThat(self.get().state()).isEqualTo(Future.State.FAILED);
    }

    @Test
    void aTaskThatCallsItselfFailsWithAClearError() throws Exception {
        self.set(Task.of("ouroboros", () -> self.get().call()));

        Throwable thrown = skein.blockOn(() -> catchThrowable(() -> self.get().call()));

        assertThat(thrown)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ouroboros")
                .hasMessageContaining("awaits itself");
    }

    @ParameterizedTest
    @EnumSource
    void aTaskThatAwaitsItselfThroughOthersIsToldSo(ThreadKind kind) throws Exception {
        Task<String> tail = Task.of("tail", this::awaitSelf);
        Task<String> body = Task.of("body", tail::await);
        self.set(Task.of("head", body::await));

        Throwable thrown = kind.call(skein, () -> catchThrowable(this::awaitSelf));

        assertThat(StackTraces.rootCauseOf(thrown))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("head")
                .hasMessageContaining("awaits itself");
    }

    @Test
    void aTaskThatSurvivesTheErrorHasItsValue() throws Exception {
        self.set(Task.of(() -> {
            assertThat(catchThrowable(this::awaitSelf)).isInstanceOf(IllegalStateException.class);
            return "survived";
        }));

        assertThat(skein.blockOn(this::awaitSelf)).isEqualTo("survived");
    }

    @Test
    void aSpawnedTaskThatAwaitsItselfIsToldSo() throws Exception {
        self.set(Task.of(() -> catchThrowable(this::awaitSelf).getMessage()));

        assertThat(skein.spawn(self.get()).join()).contains("awaits itself");
    }

    @Test
    void aTaskThatParkedAndMovedToAnotherThreadOfTheRuntimeStillKnowsItself() throws Exception {
        self.set(Task.of(() -> {
            for (int i = 0; i < 100; i++) {
                Coroutine.yieldNow();
            }
            return catchThrowable(this::awaitSelf).getMessage();
        }));

        assertThat(skein.blockOn(this::awaitSelf)).contains("awaits itself");
    }

    @Test
    void anotherCoroutineThatAwaitsTheTaskFromInsideItsBodyWaits() throws Exception {
        AtomicReference<Coroutine<String>> other = new AtomicReference<>();
        self.set(Task.of(() -> {
            other.set(Skein.current().spawn(this::awaitSelf));
            while (!waits(other.get().thread())) {
                Coroutine.yieldNow();
            }
            return "no cycle";
        }));

        assertThat(skein.blockOn(this::awaitSelf)).isEqualTo("no cycle");
        assertThat(other.get().join()).isEqualTo("no cycle");
    }

    /** An awaiter looks again from time to time, and some threads can only park for so long then. */
    private static boolean waits(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    @Test
    void aTaskThatIsDoneMayBeAwaitedInsideAnyOther() throws Exception {
        Task<String> leaf = Task.of(() -> "leaf");
        Task<String> branch = Task.of(() -> leaf.await() + leaf.await());
        Task<String> tree = Task.of(() -> leaf.await() + branch.await() + leaf.await());

        assertThat(skein.blockOn(tree::await)).isEqualTo("leafleafleafleaf");
    }
}
