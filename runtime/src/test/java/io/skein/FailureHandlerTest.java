package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Setup.Each
@SuppressWarnings("ThreadPriorityCheck") // Yielding is what coroutines do.
class FailureHandlerTest extends RuntimeTest {
    /** One call of the handler. */
    private record Heard(Coroutine<?> coroutine, Throwable failure) {}

    private final Queue<Heard> heard = new ConcurrentLinkedQueue<>();

    FailureHandlerTest(Setup setup) {
        super(setup);
    }

    private Skein startListening() {
        return setup.builder()
                .failureHandler((coroutine, failure) -> heard.add(new Heard(coroutine, failure)))
                .start();
    }

    @Test
    void aFailureThatNobodyWaitedForReachesTheHandlerOnce() {
        IllegalStateException failure = new IllegalStateException("thread snapped");
        Coroutine<?> coroutine;
        try (Skein listening = startListening()) {
            coroutine = listening.spawn((Action) () -> {
                throw failure;
            });
        }

        assertThat(heard).containsExactly(new Heard(coroutine, failure));
    }

    @Test
    void anErrorReachesTheHandlerToo() {
        AssertionError failure = new AssertionError("wrong pattern");
        try (Skein listening = startListening()) {
            var _ = listening.spawn((Action) () -> {
                throw failure;
            });
        }

        assertThat(heard).extracting(Heard::failure).containsExactly(failure);
    }

    @Test
    void aFailureThatSomebodyWaitedForDoesNotReachTheHandler() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (Skein listening = startListening()) {
            Coroutine<?> failing = listening.spawn((Action) () -> {
                release.await();
                throw new IllegalStateException("heard by the joiner");
            });
            Coroutine<?> joiner = listening.spawn(() -> {
                assertThatExceptionOfType(CompletionException.class).isThrownBy(failing::join);
            });
            Await.untilWaiting(joiner);

            release.countDown();
            joiner.join();
        }

        assertThat(heard).isEmpty();
    }

    @Test
    void aFailureInBlockOnIsAlwaysItsCallersAndNeverTheHandlers() {
        try (Skein listening = startListening()) {
            for (int round = 0; round < 1000; round++) {
                assertThatExceptionOfType(CompletionException.class)
                        .isThrownBy(() -> listening.blockOn((Action) () -> {
                            throw new IllegalStateException("heard by the caller");
                        }));
            }
        }

        assertThat(heard).isEmpty();
    }

    @Test
    void aFailureWhoseWaiterHadGivenUpReachesTheHandler() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (Skein listening = startListening()) {
            Coroutine<?> failing = listening.spawn((Action) () -> {
                release.await();
                throw new IllegalStateException("nobody waits any more");
            });
            assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> failing.get(1, TimeUnit.MILLISECONDS));

            release.countDown();
        }

        assertThat(heard).hasSize(1);
    }

    @Test
    void aFailureOfAnUnheldCoroutineSurvivesTheGarbageCollector() {
        try (Skein listening = startListening()) {
            CountDownLatch release = new CountDownLatch(1);
            for (int i = 0; i < 10; i++) {
                var _ = listening.spawn((Action) () -> {
                    release.await();
                    throw new IllegalStateException("nobody holds me");
                });
            }
            System.gc();
            release.countDown();
        }

        assertThat(heard).hasSize(10);
    }

    @Test
    void whoJoinsAfterTheHandlerHeardStillGetsTheFailure() {
        try (Skein listening = startListening()) {
            Coroutine<?> failing = listening.spawn((Action) () -> {
                throw new IllegalStateException("thread snapped");
            });
            Await.until("the handler heard", () -> !heard.isEmpty());

            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(failing::join)
                    .withCauseInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aFailingCoroutineDoesNotHurtTheOthers() throws Exception {
        AtomicInteger healthy = new AtomicInteger();
        try (Skein listening = startListening()) {
            for (int i = 0; i < 500; i++) {
                var _ = listening.spawn((Action) () -> {
                    Thread.yield();
                    throw new IllegalStateException("thread snapped");
                });
                var _ = listening.spawn(() -> {
                    Thread.yield();
                    healthy.incrementAndGet();
                });
            }
        }

        assertThat(healthy).hasValue(500);
        assertThat(heard).hasSize(500);
    }

    @Test
    void aCoroutineThatOverflowsItsStackDoesNotHurtTheOthers() throws Exception {
        try (Skein listening = startListening()) {
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> listening.blockOn(() -> recurseForEver(0)))
                    .withCauseInstanceOf(StackOverflowError.class);

            assertThat(listening.blockOn(() -> "alive")).isEqualTo("alive");
        }
    }

    @Test
    void aHandlerThatFailsDoesNotHurtTheRuntime() throws Exception {
        try (Skein fragile = setup.builder()
                .failureHandler((_, _) -> {
                    throw new IllegalStateException("the handler failed too");
                })
                .start()) {
            for (int i = 0; i < 20; i++) {
                var _ = fragile.spawn((Action) () -> {
                    throw new IllegalStateException("thread snapped");
                });
            }

            assertThat(fragile.blockOn(() -> "alive")).isEqualTo("alive");
        }
    }

    @Test
    void withoutAHandlerFailuresAreLoggedAndTheRuntimeGoesOn() throws Exception {
        try (Skein silent = setup.builder().start()) {
            var _ = silent.spawn("expected-in-the-log", (Action) () -> {
                throw new IllegalStateException("expected in the log of the tests");
            });

            assertThat(silent.blockOn(() -> "alive")).isEqualTo("alive");
        }
    }

    @SuppressWarnings("InfiniteRecursion")
    private static int recurseForEver(int depth) {
        return recurseForEver(depth + 1) + 1;
    }
}
