package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a coroutine knows of itself, and how it gives way. */
@Mode.Each
@SuppressWarnings("FutureReturnValueIgnored") // The current coroutine is a Future that nobody has to wait for.
class CoroutineHandleTest extends ModeTest {
    CoroutineHandleTest(Mode mode) {
        super(mode);
    }

    @Test
    void insideACoroutineCurrentIsItsHandle() throws Exception {
        Coroutine<Coroutine<?>> coroutine = skein.spawn("weaver", () -> Coroutine.current());

        assertThat(coroutine.join()).isSameAs(coroutine);
    }

    @Test
    void currentIsTheSameAfterACoroutineHasWaitedAndMoved() throws Exception {
        skein.blockOn(() -> {
            Coroutine<?> before = Coroutine.current();
            for (int i = 0; i < 100; i++) {
                Coroutine.yieldNow();
                assertThat(Coroutine.current()).isSameAs(before);
            }
        });
    }

    @Test
    void currentInATaskIsTheCoroutineThatRunsIt() throws Exception {
        skein.blockOn(() -> {
            Coroutine<?> here = Coroutine.current();

            assertThat((Object) Task.of(Coroutine::current).await()).isSameAs(here);
        });
    }

    @Test
    void currentInAForkIsTheFork() throws Exception {
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = Scope.open()) {
                Coroutine<Object> child = scope.fork(() -> Coroutine.current());
                scope.join();

                assertThat(child.join()).isSameAs(child);
            }
        });
    }

    @Test
    void aThreadOfTheRuntimesExecutorIsACoroutineWithAHandle() throws Exception {
        try (ExecutorService executor = skein.executor()) {
            boolean same = executor.submit(() -> Coroutine.current().thread() == Thread.currentThread())
                    .get();

            assertThat(same).isTrue();
        }
    }

    @Test
    void aThreadThatIsNoCoroutineHasNoCurrent() throws Exception {
        for (ThreadKind kind : new ThreadKind[] {ThreadKind.PLATFORM, ThreadKind.VIRTUAL}) {
            kind.call(skein, () -> {
                assertThatExceptionOfType(IllegalStateException.class).isThrownBy(Coroutine::current);
                return kind;
            });
        }
    }

    @Test
    void codeOnTheBlockingPoolHasNoCurrent() throws Exception {
        skein.blockOn(() -> Skein.blocking(() -> {
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(Coroutine::current);
            return "checked";
        }));
    }

    @Test
    void whoYieldsLetsTheOthersRun() throws Exception {
        AtomicBoolean ran = new AtomicBoolean();
        skein.blockOn(() -> {
            var _ = Skein.current().spawn(() -> ran.set(true));
            while (!ran.get()) {
                Coroutine.yieldNow();
            }
        });

        assertThat(ran).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void yieldingReturnsOnEveryThreadAndLeavesTheInterruptStatusAlone(ThreadKind kind) throws Exception {
        boolean interrupted = kind.call(skein, () -> {
            Coroutine.yieldNow();
            Thread.currentThread().interrupt();
            Coroutine.yieldNow();
            return Thread.interrupted();
        });

        assertThat(interrupted).isTrue();
    }

    @Test
    void aCoroutineIsInterruptedOnceHoweverOftenItIsCancelled() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch cleanUp = new CountDownLatch(1);
        Coroutine<String> coroutine = skein.spawn(() -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
            cleanUp.await();
            return "cleaned up";
        });
        Await.untilWaiting(coroutine);
        coroutine.cancel(true);
        interrupted.await();
        Await.untilWaiting(coroutine);

        for (int i = 0; i < 5; i++) {
            assertThat(coroutine.cancel(true)).isTrue();
        }
        cleanUp.countDown();

        assertThat(coroutine.join()).isEqualTo("cleaned up");
        assertThat(coroutine.cancel(true)).isFalse();
    }
}
