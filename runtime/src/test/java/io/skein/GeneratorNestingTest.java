package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Generators that emit what other generators emit, and generators that read others. */
@Stage.Each
@ExtendWith(LeakCheck.class)
@Timeout(60)
class GeneratorNestingTest {
    private static final int DEEP = 2_000;

    private final Stage stage;
    private final List<String> steps = new ArrayList<>();

    GeneratorNestingTest(Stage stage) {
        this.stage = stage;
    }

    private record Tree(
            @Nullable Tree left, int value, @Nullable Tree right) {}

    private Generator<Integer> walk(@Nullable Tree tree) {
        return stage.of(emitter -> {
            if (tree != null) {
                emitter.emitAll(walk(tree.left));
                emitter.emit(tree.value);
                emitter.emitAll(walk(tree.right));
            }
        });
    }

    private static @Nullable Tree balanced(int from, int to) {
        int middle = (from + to) / 2;
        return from == to ? null : new Tree(balanced(from, middle), middle, balanced(middle + 1, to));
    }

    @Test
    void aRecursiveGeneratorWalksATree() throws Exception {
        stage.run(() -> assertThat(walk(balanced(0, 1_000)).stream().toList())
                .isEqualTo(IntStream.range(0, 1_000).boxed().toList()));
    }

    @Test
    void aRecursiveGeneratorWalksATreeThatIsAListOnEitherSide() throws Exception {
        stage.run(() -> {
            Tree left = null;
            Tree right = null;
            for (int i = 0; i < DEEP; i++) {
                left = new Tree(left, i, null);
                right = new Tree(null, DEEP - 1 - i, right);
            }
            List<Integer> all = IntStream.range(0, DEEP).boxed().toList();
            assertThat(walk(left).stream().toList()).isEqualTo(all);
            assertThat(walk(right).stream().toList()).isEqualTo(all);
        });
    }

    @Test
    void aDeepNestIsUnwoundByClose() throws Exception {
        stage.run(() -> {
            Generator<Integer> deep = countingFinally(DEEP);
            assertThat(deep.next()).isZero();
            deep.close();
            assertThat(steps).hasSize(DEEP);
        });
    }

    private Generator<Integer> countingFinally(int depth) {
        return stage.of(emitter -> {
            if (depth == 0) {
                emitter.emit(0);
                return;
            }
            try {
                emitter.emitAll(countingFinally(depth - 1));
            } finally {
                steps.add("finally");
            }
        });
    }

    @Test
    void aGeneratorThatHasNotStartedIsRunInPlaceWithTheSameEmitter() throws Exception {
        stage.run(() -> {
            AtomicReference<Object> innermost = new AtomicReference<>();
            Generator<Integer> inner = stage.of(emitter -> {
                innermost.set(emitter);
                emitter.emit(1);
            });
            Generator<Integer> outer = stage.of(emitter -> {
                emitter.emitAll(inner);
                assertThat(innermost.get()).isSameAs(emitter);
                emitter.emit(2);
            });
            assertThat(outer.stream().toList()).containsExactly(1, 2);
            assertThat(inner.hasNext()).isFalse();
        });
    }

    @Test
    void aGeneratorThatHasStartedIsReadToItsEnd() throws Exception {
        stage.run(() -> {
            Generator<Integer> inner = stage.of(emitter -> {
                emitter.emit(1);
                emitter.emit(2);
                emitter.emit(3);
            });
            inner.next();
            assertThat(inner.hasNext()).isTrue();
            Generator<Integer> outer = stage.of(emitter -> emitter.emitAll(inner));
            assertThat(outer.stream().toList()).containsExactly(2, 3);
        });
    }

    @Test
    void closingTheOuterClosesAStartedInner() throws Exception {
        stage.run(() -> {
            Generator<Integer> inner = stage.of(emitter -> {
                try {
                    emitter.emit(1);
                    emitter.emit(2);
                    emitter.emit(3);
                } finally {
                    steps.add("finally");
                }
            });
            inner.next();
            Generator<Integer> outer = stage.of(emitter -> emitter.emitAll(inner));
            assertThat(outer.next()).isEqualTo(2);
            outer.close();
            assertThat(steps).containsExactly("finally");
            assertThat(inner.hasNext()).isFalse();
        });
    }

    @Test
    void aClosedGeneratorEmitsNothing() throws Exception {
        stage.run(() -> {
            Generator<Integer> inner = stage.numbers();
            inner.close();
            assertThat(stage.<Integer>of(emitter -> emitter.emitAll(inner)).hasNext())
                    .isFalse();
        });
    }

    @Test
    void anIterableIsEmittedAndAGeneratorIsRecognisedAsOne() throws Exception {
        stage.run(() -> {
            Iterable<Integer> inner = stage.of(emitter -> emitter.emitAll(List.of(3, 4)));
            Generator<Number> outer = stage.of(emitter -> {
                emitter.emitAll(List.of(1, 2));
                emitter.emitAll(inner);
            });
            assertThat(outer.stream().toList()).isEqualTo(List.of(1, 2, 3, 4));
        });
    }

    @Test
    void whatTheInnerThrowsGoesThroughTheOuter() throws Exception {
        stage.run(() -> {
            IOException failure = new IOException("broken");
            Generator<Integer> outer = stage.of(emitter -> {
                try {
                    emitter.emitAll(stage.<Integer>of(nested -> nested.emitAll(stage.<Integer>of(deepest -> {
                        deepest.emit(1);
                        throw failure;
                    }))));
                } catch (CompletionException e) {
                    steps.add("seen");
                    throw e;
                }
            });
            assertThat(outer.next()).isEqualTo(1);
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(outer::next)
                    .withCause(failure);
            assertThat(steps).containsExactly("seen");
        });
    }

    @Test
    void aBodyReadsAnotherGeneratorElementByElement() throws Exception {
        stage.run(() -> {
            Generator<Integer> squares = stage.of(emitter -> {
                try (Generator<Integer> numbers = stage.numbers()) {
                    for (int number : numbers) {
                        emitter.emit(number * number);
                    }
                }
            });
            try (squares) {
                for (int i = 0; i < 1_000; i++) {
                    assertThat(squares.next()).isEqualTo(i * i);
                }
            }
        });
    }

    @Test
    void theBodyOfAnotherGeneratorMayNotEmitInItsReadersName() throws Exception {
        stage.run(() -> {
            Generator<Integer> outer = stage.of(emitter -> {
                Generator<Integer> inner = stage.of(_ -> emitter.emit(1));
                assertThatIllegalStateException()
                        .isThrownBy(inner::hasNext)
                        .withMessageContaining("emit outside the generator's body");
                emitter.emit(2);
            });
            assertThat(outer.stream().toList()).containsExactly(2);
        });
    }

    @Test
    void aGeneratorCannotEmitItself() throws Exception {
        stage.run(() -> {
            AtomicReference<Generator<Integer>> self = new AtomicReference<>();
            self.set(stage.of(emitter -> emitter.emitAll(self.get())));
            assertThatIllegalStateException().isThrownBy(self.get()::hasNext).withMessageContaining("runs it");
            assertThat(self.get().hasNext()).isFalse();
        });
    }
}
