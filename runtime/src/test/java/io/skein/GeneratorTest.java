package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a generator gives, as an iterator, an iterable and a stream. */
@Stage.Each
@ExtendWith(LeakCheck.class)
@Timeout(60)
class GeneratorTest {
    private final Stage stage;

    GeneratorTest(Stage stage) {
        this.stage = stage;
    }

    @Test
    void givesWhatTheBodyEmitsInOrder() throws Exception {
        stage.run(() -> {
            List<String> seen = new ArrayList<>();
            for (String element : stage.<String>of(emitter -> {
                emitter.emit("a");
                emitter.emit("b");
                emitter.emit("c");
            })) {
                seen.add(element);
            }
            assertThat(seen).containsExactly("a", "b", "c");
        });
    }

    @Test
    void runsNothingBeforeTheFirstElementIsAskedForAndNothingAhead() throws Exception {
        stage.run(() -> {
            AtomicInteger steps = new AtomicInteger();
            try (Generator<Integer> generator = stage.of(emitter -> {
                steps.set(1);
                emitter.emit(10);
                steps.set(2);
                emitter.emit(20);
                steps.set(3);
            })) {
                assertThat(generator.iterator()).isNotNull();
                assertThat(steps).hasValue(0);
                assertThat(generator.hasNext()).isTrue();
                assertThat(generator.hasNext()).isTrue();
                assertThat(steps).hasValue(1);
                assertThat(generator.next()).isEqualTo(10);
                assertThat(steps).hasValue(1);
                assertThat(generator.next()).isEqualTo(20);
                assertThat(steps).hasValue(2);
                assertThat(generator.hasNext()).isFalse();
                assertThat(steps).hasValue(3);
            }
        });
    }

    @Test
    void nextWithoutHasNextGoesThroughAllElements() throws Exception {
        stage.run(() -> {
            try (Generator<Integer> numbers = stage.numbers()) {
                for (int i = 0; i < 10_000; i++) {
                    assertThat(numbers.next()).isEqualTo(i);
                }
            }
        });
    }

    @Test
    void nextAfterTheEndThrowsNoSuchElementEachTime() throws Exception {
        stage.run(() -> {
            Generator<Integer> generator = stage.of(emitter -> emitter.emit(1));
            generator.next();
            assertThatThrownBy(generator::next).isInstanceOf(NoSuchElementException.class);
            assertThatThrownBy(generator::next).isInstanceOf(NoSuchElementException.class);
            assertThat(generator.hasNext()).isFalse();
        });
    }

    @Test
    void aBodyThatEmitsNothingGivesNothing() throws Exception {
        stage.run(() -> assertThat(stage.of(_ -> {}).hasNext()).isFalse());
    }

    @Test
    void nullIsAnElementLikeAnyOther() throws Exception {
        stage.run(() -> {
            Generator<@Nullable Object> generator = stage.<@Nullable Object>of(emitter -> emitter.emit(null));
            assertThat(generator.hasNext()).isTrue();
            assertThat(generator.next()).isNull();
            assertThat(generator.hasNext()).isFalse();
        });
    }

    @Test
    void thereIsOnePass() throws Exception {
        stage.run(() -> {
            Generator<Integer> iterated = stage.numbers();
            assertThat(iterated.iterator()).isSameAs(iterated);
            assertThatIllegalStateException().isThrownBy(iterated::iterator).withMessageContaining("once");
            assertThatIllegalStateException().isThrownBy(iterated::stream);

            Generator<Integer> streamed = stage.numbers();
            streamed.stream();
            assertThatIllegalStateException().isThrownBy(streamed::iterator);
        });
    }

    @Test
    void elementsCannotBeRemoved() throws Exception {
        stage.run(() -> {
            try (Generator<Integer> numbers = stage.numbers()) {
                numbers.next();
                assertThatThrownBy(numbers::remove).isInstanceOf(UnsupportedOperationException.class);
            }
        });
    }

    @Test
    void aStreamIsLazyOrderedSequentialAndClosesTheGenerator() throws Exception {
        stage.run(() -> {
            AtomicInteger emitted = new AtomicInteger();
            AtomicInteger closed = new AtomicInteger();
            Generator<Integer> generator = stage.of(emitter -> {
                try {
                    while (true) {
                        emitter.emit(emitted.getAndIncrement());
                    }
                } finally {
                    closed.incrementAndGet();
                }
            });
            try (Stream<Integer> stream = generator.stream()) {
                assertThat(stream.isParallel()).isFalse();
                assertThat(emitted).hasValue(0);
                assertThat(stream.limit(3).toList()).containsExactly(0, 1, 2);
                assertThat(emitted).hasValue(3);
                assertThat(closed).hasValue(0);
            }
            assertThat(closed).hasValue(1);
            assertThat(generator.hasNext()).isFalse();
        });
    }

    @Test
    void aStreamTellsThatItIsOrderedAndOfUnknownSize() throws Exception {
        stage.run(() -> {
            Spliterator<Integer> elements = stage.numbers().stream().spliterator();
            assertThat(elements.hasCharacteristics(Spliterator.ORDERED)).isTrue();
            assertThat(elements.hasCharacteristics(Spliterator.SIZED)).isFalse();
        });
    }

    @Test
    void aStreamThatIsMadeParallelStaysOnTheThreadThatEvaluatesIt() throws Exception {
        stage.run(() -> {
            Generator<Integer> generator = stage.of(emitter -> {
                for (int i = 0; i < 5_000; i++) {
                    emitter.emit(i);
                }
            });
            try (Stream<Integer> stream = generator.stream()) {
                assertThat(stream.parallel().map(i -> i + 1).toList())
                        .isEqualTo(IntStream.rangeClosed(1, 5_000).boxed().toList());
            }
        });
    }

    @Test
    void flatMapClosesTheGeneratorsThatItGoesThrough() throws Exception {
        stage.run(() -> {
            AtomicInteger closed = new AtomicInteger();
            Generator.Body<Integer> body = emitter -> {
                try {
                    while (true) {
                        emitter.emit(7);
                    }
                } finally {
                    closed.incrementAndGet();
                }
            };
            long sum = Stream.of(1, 2, 3)
                    .flatMap(_ -> stage.of(body).stream().limit(2))
                    .mapToInt(Integer::intValue)
                    .sum();
            assertThat(sum).isEqualTo(42);
            assertThat(closed).hasValue(3);
        });
    }

    @Test
    void manyGeneratorsAreReadInTurns() throws Exception {
        stage.run(() -> {
            List<Generator<Integer>> generators = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                generators.add(stage.numbers());
            }
            for (int round = 0; round < 20; round++) {
                for (Generator<Integer> generator : generators) {
                    assertThat(generator.next()).isEqualTo(round);
                }
            }
            generators.forEach(Generator::close);
        });
    }
}
