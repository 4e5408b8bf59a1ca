package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work on a collection, at most so many at once, in order. */
@Mode.Each
class ParallelTest extends ModeTest {
    private static final List<Integer> NUMBERS = IntStream.range(0, 100).boxed().toList();

    ParallelTest(Mode mode) {
        super(mode);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 100, 1000, Integer.MAX_VALUE})
    void theResultsAreInTheOrderOfTheItems(int limit) throws Exception {
        List<Integer> squares = skein.blockOn(() -> Tasks.parallel(NUMBERS, limit, number -> {
            for (int i = number % 5; i > 0; i--) {
                Coroutine.yieldNow();
            }
            return number * number;
        }));

        assertThat(squares).isEqualTo(NUMBERS.stream().map(n -> n * n).toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 10})
    void neverMoreThanTheLimitWorkAtOnce(int limit) throws Exception {
        AtomicInteger working = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();

        skein.blockOn(() -> Tasks.parallel(NUMBERS, limit, number -> {
            most.accumulateAndGet(working.incrementAndGet(), Math::max);
            for (int i = 0; i < 5; i++) {
                Coroutine.yieldNow();
            }
            return working.decrementAndGet();
        }));

        assertThat(most.get()).isBetween(1, limit);
    }

    @Test
    void asManyAsTheLimitWorkAtOnce() throws Exception {
        CyclicBarrier ten = new CyclicBarrier(10);

        List<Integer> results = skein.blockOn(() -> Tasks.parallel(NUMBERS, 10, number -> {
            ten.await(20, TimeUnit.SECONDS);
            return number;
        }));

        assertThat(results).isEqualTo(NUMBERS);
    }

    @Test
    void aFailureCancelsTheRestAndIsThrown() throws Exception {
        IOException failure = new IOException("thread snapped");
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        skein.blockOn(() -> {
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> Tasks.parallel(NUMBERS, 4, number -> {
                        begun.incrementAndGet();
                        try {
                            if (number == 10) {
                                throw failure;
                            }
                            if (number > 10) {
                                new CountDownLatch(1).await();
                            }
                            return number;
                        } finally {
                            ended.incrementAndGet();
                        }
                    }))
                    .withCause(failure);
            assertThat(ended)
                    .as("those that began, and ended before the failure was thrown")
                    .hasValue(begun.get());
        });
    }

    @Test
    void whoIsInterruptedCancelsTheWork() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        Coroutine<?> caller = skein.spawn(() -> Tasks.parallel(NUMBERS, 4, number -> {
            begun.incrementAndGet();
            try {
                new CountDownLatch(1).await();
                return number;
            } finally {
                ended.incrementAndGet();
            }
        }));
        Await.until("four work", () -> begun.get() == 4);
        Await.untilWaiting(caller);

        caller.cancel(true);
        Await.until("the caller has ended", caller::isDone);

        assertThat(caller.isCancelled()).isTrue();
        assertThat(ended).hasValue(begun.get());
    }

    @Test
    void nothingGivesNothing() throws Exception {
        List<Object> results = skein.blockOn(() -> Tasks.parallel(List.<Object>of(), 3, item -> item));
        String reduced =
                skein.blockOn(() -> Tasks.parallel(List.<String>of(), 3, item -> item, "identity", String::concat));

        assertThat(results).isEmpty();
        assertThat(reduced).isEqualTo("identity");
    }

    @Test
    void aLimitBelowOneIsRefused() throws Exception {
        skein.blockOn(() -> {
            for (int limit : new int[] {0, -1, Integer.MIN_VALUE}) {
                assertThatIllegalArgumentException().isThrownBy(() -> Tasks.parallel(NUMBERS, limit, item -> item));
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> Tasks.parallel(NUMBERS, limit, item -> item, 0, Integer::sum));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 26})
    void aReductionIsMadeInTheOrderOfTheItems(int limit) throws Exception {
        List<String> letters = "abcdefghijklmnopqrstuvwxyz"
                .chars()
                .mapToObj(Character::toString)
                .toList();

        String word = skein.blockOn(() -> Tasks.parallel(
                letters,
                limit,
                letter -> {
                    for (int i = letter.hashCode() % 4; i > 0; i--) {
                        Coroutine.yieldNow();
                    }
                    return letter;
                },
                "-",
                String::concat));

        assertThat(word).isEqualTo("-abcdefghijklmnopqrstuvwxyz");
    }

    @Test
    void aFailureInTheReductionIsThrown() throws Exception {
        IllegalStateException failure = new IllegalStateException("cannot add");
        skein.blockOn(() -> {
            assertThatExceptionOfType(RuntimeException.class)
                    .isThrownBy(() -> Tasks.parallel(NUMBERS, 4, item -> item, 0, (_, _) -> {
                        throw failure;
                    }))
                    .satisfies(thrown ->
                            assertThat(StackTraces.rootCauseOf(thrown)).isSameAs(failure));
        });
    }

    @Test
    void nullIsAResultLikeAnyOther() throws Exception {
        List<@Nullable String> results = skein.blockOn(
                () -> Tasks.<Integer, @Nullable String>parallel(List.of(1, 2), 2, n -> n == 1 ? null : "two"));

        assertThat(results).containsExactly(null, "two");
    }

    @Test
    void manyItemsGoThroughANarrowLimit() throws Exception {
        List<Integer> many = IntStream.range(0, 100_000).boxed().toList();

        long sum = skein.blockOn(() -> Tasks.parallel(many, 8, number -> (long) number, 0L, Long::sum));

        assertThat(sum).isEqualTo(100_000L * 99_999 / 2);
    }
}
