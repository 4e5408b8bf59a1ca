package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.skein.Scope.Policy;
import io.skein.internal.time.Durations;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A scope with a timeout: who is late is cancelled, and the join tells when all have ended. */
@Mode.Each
class ScopeTimeoutTest extends ModeTest {
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofHours(1);

    ScopeTimeoutTest(Mode mode) {
        super(mode);
    }

    private static Scope<Object, ?> openWith(Duration timeout) {
        return Scope.open(
                Policy.allSucceed(), options -> options.withName("loom").withTimeout(timeout));
    }

    private static Object waitForEver() throws InterruptedException {
        new CountDownLatch(1).await();
        return "never";
    }

    /** What a test does with a timeout; true if that was long enough for the child that ends in time. */
    private interface Attempt {
        boolean isInTime(Duration timeout) throws Exception;
    }

    /** On a busy machine a child that ends at once may do so late; then the attempt is repeated with more time. */
    private void untilInTime(Attempt attempt) throws Exception {
        skein.blockOn(() -> {
            Duration timeout = SHORT;
            while (!attempt.isInTime(timeout)) {
                timeout = timeout.multipliedBy(2);
            }
        });
    }

    @Test
    void childrenThatAreLateAreCancelledAndTheJoinSaysWhy() throws Exception {
        untilInTime(timeout -> {
            long opened = System.nanoTime();
            try (Scope<Object, ?> scope = openWith(timeout)) {
                Coroutine<Object> early = scope.fork(() -> "early");
                Coroutine<Object> late = scope.fork(ScopeTimeoutTest::waitForEver);
                Await.until("the early one has ended", early::isDone);
                boolean inTime = System.nanoTime() - opened < timeout.toNanos();

                Throwable thrown = catchThrowable(scope::join);

                assertThat(thrown)
                        .isInstanceOf(CompletionException.class)
                        .cause()
                        .isInstanceOf(TimeoutException.class)
                        .hasMessageContaining("loom")
                        .hasMessageContaining(Durations.text(timeout));
                assertThat(late.state()).isEqualTo(Future.State.CANCELLED);
                assertThat(scope.isCancelled()).isTrue();
                if (inTime) {
                    assertThat(early.state()).isEqualTo(Future.State.SUCCESS);
                }
                return inTime;
            }
        });
    }

    @Test
    void aTimeoutDoesNotPassEarly() throws Exception {
        long waited = skein.blockOn(() -> {
            long start = System.nanoTime();
            try (Scope<Object, ?> scope = openWith(SHORT)) {
                var _ = scope.fork(ScopeTimeoutTest::waitForEver);
                assertThat(catchThrowable(scope::join)).hasCauseInstanceOf(TimeoutException.class);
            }
            return System.nanoTime() - start;
        });

        assertThat(waited).isGreaterThanOrEqualTo(SHORT.toNanos());
    }

    @Test
    void childrenInTimeAreNotDisturbed() throws Exception {
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = openWith(LONG)) {
                Coroutine<Object> child = scope.fork(() -> {
                    Coroutine.yieldNow();
                    return "in time";
                });
                scope.join();

                assertThat(child.join()).isEqualTo("in time");
                assertThat(scope.isCancelled()).isFalse();
            }
        });
    }

    @Test
    void childrenThatHaveEndedInTimeAreASuccessHoweverLateTheJoin() throws Exception {
        untilInTime(timeout -> {
            long opened = System.nanoTime();
            try (Scope<Object, ?> scope = openWith(timeout)) {
                Coroutine<Object> child = scope.fork(() -> "in time");
                Await.until("the child has ended", child::isDone);
                if (System.nanoTime() - opened >= timeout.toNanos()) {
                    return false;
                }
                Await.until("the deadline has passed", () -> System.nanoTime() - opened > 2 * timeout.toNanos());

                scope.join();

                assertThat(child.resultNow()).isEqualTo("in time");
                return true;
            }
        });
    }

    @Test
    void aFailureBeforeTheTimeoutIsTheFailure() throws Exception {
        IOException failure = new IOException("thread snapped");
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = openWith(LONG)) {
                var _ = scope.fork(ScopeTimeoutTest::waitForEver);
                var _ = scope.fork((Action) () -> {
                    throw failure;
                });

                assertThat(catchThrowable(scope::join)).hasCause(failure);
            }
        });
    }

    @Test
    void theJoinWaitsForTheLateToEnd() throws Exception {
        CountDownLatch cleanUp = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        AtomicBoolean cleaned = new AtomicBoolean();
        Coroutine<Boolean> owner = skein.spawn(() -> {
            try (Scope<Object, ?> scope = openWith(SHORT)) {
                var _ = scope.fork((Action) () -> {
                    try {
                        new CountDownLatch(1).await();
                    } finally {
                        cancelled.countDown();
                        Coroutine.shielded(() -> cleanUp.await());
                        cleaned.set(true);
                    }
                });
                assertThat(catchThrowable(scope::join)).hasCauseInstanceOf(TimeoutException.class);
                return cleaned.get();
            }
        });
        cancelled.await();
        Await.untilWaiting(owner);
        assertThat(owner.isDone()).isFalse();

        cleanUp.countDown();

        assertThat(owner.join()).isTrue();
    }

    @Test
    void aJoinThatTimedOutDoesSoAgain() throws Exception {
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = openWith(SHORT)) {
                var _ = scope.fork(ScopeTimeoutTest::waitForEver);

                assertThat(catchThrowable(scope::join)).hasCauseInstanceOf(TimeoutException.class);
                assertThat(catchThrowable(scope::join)).hasCauseInstanceOf(TimeoutException.class);
            }
        });
    }

    @Test
    void aForkAfterTheTimeoutRunsWithItsInterruptStatusSet() throws Exception {
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = openWith(SHORT)) {
                var _ = scope.fork(ScopeTimeoutTest::waitForEver);
                assertThat(catchThrowable(scope::join)).hasCauseInstanceOf(TimeoutException.class);

                Coroutine<Object> late = scope.fork(() -> Thread.currentThread().isInterrupted());
                assertThat(catchThrowable(scope::join)).hasCauseInstanceOf(TimeoutException.class);

                assertThat(late.join()).isEqualTo(true);
            }
        });
    }

    @Test
    void aTimeoutReachesGrandchildrenInScopesOfTheirOwn() throws Exception {
        AtomicBoolean reached = new AtomicBoolean();
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = openWith(SHORT)) {
                var _ = scope.fork(() -> {
                    try (Scope<Object, ?> inner = openWith(LONG)) {
                        var _ = inner.fork(() -> {
                            try {
                                return waitForEver();
                            } catch (InterruptedException e) {
                                reached.set(true);
                                throw e;
                            }
                        });
                        inner.join();
                    }
                });

                assertThat(catchThrowable(scope::join)).hasCauseInstanceOf(TimeoutException.class);
                assertThat(reached).isTrue();
            }
        });
    }

    @Test
    void anInnerTimeoutLeavesTheOuterScopeAlone() throws Exception {
        skein.blockOn(() -> {
            try (Scope<Object, ?> outer = openWith(LONG)) {
                CountDownLatch release = new CountDownLatch(1);
                Coroutine<Object> patient = outer.fork(() -> {
                    release.await();
                    return "patient";
                });
                try (Scope<Object, ?> inner = openWith(SHORT)) {
                    var _ = inner.fork(ScopeTimeoutTest::waitForEver);
                    assertThat(catchThrowable(inner::join)).hasCauseInstanceOf(TimeoutException.class);
                }
                release.countDown();
                outer.join();

                assertThat(patient.join()).isEqualTo("patient");
            }
        });
    }

    @Test
    void aScopeIsCancelledWhenItsTimeHasPassedWhateverItsOwnerDoes() throws Exception {
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = openWith(SHORT)) {
                Coroutine<Object> late = scope.fork(ScopeTimeoutTest::waitForEver);
                assertThat(catchThrowable(late::join)).isInstanceOf(CancellationException.class);
                assertThat(scope.isCancelled()).isTrue();

                assertThat(catchThrowable(scope::join)).hasCauseInstanceOf(TimeoutException.class);
            }
        });
    }

    @Test
    void aForkIntoAScopeWhoseTimeHasPassedIsLate() throws Exception {
        skein.blockOn(() -> {
            try (Scope<Object, ?> scope = openWith(SHORT)) {
                Await.until("the time has passed", scope::isCancelled);
                var _ = scope.fork(ScopeTimeoutTest::waitForEver);

                assertThat(catchThrowable(scope::join)).hasCauseInstanceOf(TimeoutException.class);
            }
        });
    }

    @Test
    void everyPolicyTimesOut() throws Exception {
        skein.blockOn(() -> {
            for (Policy<Object, ?> policy :
                    List.<Policy<Object, ?>>of(Policy.allSucceed(), Policy.firstSuccess(), Policy.gather())) {
                try (Scope<Object, Object> scope = Scope.open(policy, options -> options.withTimeout(SHORT))) {
                    var _ = scope.fork(ScopeTimeoutTest::waitForEver);

                    assertThatExceptionOfType(CompletionException.class)
                            .isThrownBy(scope::join)
                            .withCauseInstanceOf(TimeoutException.class);
                }
            }
        });
    }

    @Test
    void aTimeoutThatDoesNotPassLeavesNothingBehind() throws Exception {
        skein.blockOn(() -> {
            for (int i = 0; i < 1000; i++) {
                try (Scope<Object, ?> scope = openWith(LONG)) {
                    var _ = scope.fork(() -> "quick");
                    scope.join();
                }
            }
        });

        skein.close(); // does not wait for an hour

        assertThat(skein.metrics().liveCoroutines()).isZero();
    }
}
