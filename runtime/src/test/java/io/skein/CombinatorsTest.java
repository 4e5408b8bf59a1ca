package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** whenAll, and race with its losers. */
@Mode.Each
class CombinatorsTest extends ModeTest {
    private final IOException failure = new IOException("thread snapped");
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger cleanedUp = new AtomicInteger();

    CombinatorsTest(Mode mode) {
        super(mode);
    }

    /** Waits until it is cancelled, then takes a few turns to end. */
    private String lingering() throws InterruptedException {
        started.incrementAndGet();
        try {
            new CountDownLatch(1).await();
            return "never";
        } finally {
            for (int i = 0; i < 20; i++) {
                Coroutine.yieldNow();
            }
            cleanedUp.incrementAndGet();
        }
    }

    private String snap() throws IOException {
        throw failure;
    }

    @Test
    void whenAllGivesTheValuesInTheOrderOfTheBodies() throws Exception {
        CountDownLatch last = new CountDownLatch(1);

        List<String> values = skein.blockOn(() -> Tasks.whenAll(
                () -> {
                    last.await();
                    return "one";
                },
                () -> "two",
                () -> {
                    last.countDown();
                    return "three";
                }));

        assertThat(values).containsExactly("one", "two", "three");
    }

    @Test
    void whenAllOfAListRunsEverythingConcurrently() throws Exception {
        CyclicBarrier together = new CyclicBarrier(20);
        List<Callable<Integer>> bodies = new ArrayList<>();
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int number = i;
            expected.add(number);
            bodies.add(() -> {
                together.await(20, TimeUnit.SECONDS);
                return number;
            });
        }

        assertThat(skein.blockOn(() -> Tasks.whenAll(bodies))).isEqualTo(expected);
    }

    @Test
    void whenAllTakesTasksAndNullsAndMixedTypes() throws Exception {
        Task<Integer> task = Task.of(() -> 1);
        Callable<@Nullable String> nothing = () -> null;

        List<@Nullable Object> values =
                skein.blockOn(() -> Tasks.<@Nullable Object>whenAll(List.of(task, nothing, () -> "three")));

        assertThat(values).containsExactly(1, null, "three");
    }

    @Test
    void whenAllOfNothingIsEmpty() throws Exception {
        assertThat(skein.blockOn(() -> Tasks.<Object>whenAll())).isEmpty();
        assertThat(skein.blockOn(() -> Tasks.<Object>whenAll(List.of()))).isEmpty();
    }

    @Test
    void theFirstFailureOfWhenAllCancelsTheRestAndWaitsForThem() throws Exception {
        skein.blockOn(() -> {
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> Tasks.whenAll(this::lingering, this::snap, this::lingering))
                    .withCause(failure);

            assertThat(cleanedUp).as("bodies that ended before whenAll did").hasValue(started.get());
        });
    }

    @Test
    void whoIsInterruptedInWhenAllCancelsTheBodiesAndWaitsForThem() throws Exception {
        Coroutine<Integer> caller = skein.spawn(() -> {
            assertThatExceptionOfType(InterruptedException.class)
                    .isThrownBy(() -> Tasks.whenAll(this::lingering, this::lingering, this::lingering));
            return cleanedUp.get();
        });
        Await.until("they run", () -> skein.metrics().liveCoroutines() == 4);
        Await.untilWaiting(caller);

        caller.thread().interrupt();

        assertThat(caller.join()).isEqualTo(3);
    }

    @Test
    void whenAllShowsWhereItWasCalled() throws Exception {
        skein.blockOn(() -> {
            Throwable thrown = catchThrowable(this::gatherHere);

            assertThat(StackTraces.methodsOf(thrown)).contains("gatherHere");
            assertThat(StackTraces.methodsOf(thrown.getCause())).contains("<init>");
        });
    }

    private List<String> gatherHere() throws InterruptedException {
        return Tasks.whenAll(this::snap, () -> "fine");
    }

    @Test
    void aRaceIsWonByTheFirstSuccessAndItsLosersAreCancelledAndAwaited() throws Exception {
        skein.blockOn(() -> {
            CountDownLatch running = new CountDownLatch(2);
            Callable<String> loser = () -> {
                running.countDown();
                return lingering();
            };

            String winner = Tasks.race(loser, loser, () -> {
                running.await();
                return "winner";
            });

            assertThat(winner).isEqualTo("winner");
            assertThat(cleanedUp)
                    .as("losers that ended before the race was over")
                    .hasValue(2);
        });
    }

    @Test
    void aFailureDoesNotWinARace() throws Exception {
        expectUnheardFailures();
        CountDownLatch failed = new CountDownLatch(1);

        String winner = skein.blockOn(() -> Tasks.<String>race(List.of(
                () -> {
                    failed.countDown();
                    return snap();
                },
                () -> {
                    failed.await();
                    return "winner";
                })));

        assertThat(winner).isEqualTo("winner");
    }

    @Test
    void aRaceThatAllLoseThrowsTheFirstFailureWithTheOthersSuppressed() throws Exception {
        IOException second = new IOException("snapped later");
        AtomicBoolean snapped = new AtomicBoolean();
        skein.blockOn(() -> {
            Throwable thrown = catchThrowable(() -> Tasks.race(
                    () -> {
                        snapped.set(true);
                        return snap();
                    },
                    () -> {
                        while (!snapped.get() || Skein.current().metrics().liveCoroutines() > 2) {
                            Coroutine.yieldNow();
                        }
                        throw second;
                    }));

            assertThat(thrown).isInstanceOf(CompletionException.class).hasCause(failure);
            assertThat(StackTraces.suppressedIn(thrown)).containsExactly(second);
        });
    }

    @Test
    void aRaceOfOneIsWonByIt() throws Exception {
        assertThat(skein.blockOn(() -> Tasks.race(() -> "alone"))).isEqualTo("alone");
    }

    @Test
    void aRaceOfNobodyIsRefused() throws Exception {
        skein.blockOn(() -> {
            assertThatIllegalArgumentException().isThrownBy(() -> Tasks.race());
            assertThatIllegalArgumentException().isThrownBy(() -> Tasks.race(List.<Callable<Object>>of()));
        });
    }

    @Test
    void whoIsInterruptedInARaceCancelsTheRunners() {
        Coroutine<?> caller = skein.spawn(() -> Tasks.race(this::lingering, this::lingering));
        Await.until("they run", () -> skein.metrics().liveCoroutines() == 3);
        Await.untilWaiting(caller);

        caller.cancel(true);
        Await.until("the caller has ended", caller::isDone);

        assertThat(cleanedUp).hasValue(2);
        assertThat(caller.isCancelled()).isTrue();
    }

    @Test
    void combinatorsThatSpawnWorkInsideCoroutinesOnly() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> Tasks.whenAll(() -> "one", () -> "two"));
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> Tasks.race(() -> "one", () -> "two"));
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> Tasks.parallel(List.of(1, 2), 2, item -> item));
    }
}
