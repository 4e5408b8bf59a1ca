package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What closing does to the body. */
@Stage.Each
@ExtendWith(LeakCheck.class)
@Timeout(60)
class GeneratorCloseTest {
    private final Stage stage;
    private final List<String> steps = new ArrayList<>();

    GeneratorCloseTest(Stage stage) {
        this.stage = stage;
    }

    @Test
    void runsFinallyBlocksAndClosesResourcesFromTheInsideOut() throws Exception {
        stage.run(() -> {
            Generator<Integer> generator = stage.of(emitter -> {
                try (AutoCloseable _ = () -> steps.add("resource")) {
                    try {
                        emitter.emit(1);
                        steps.add("went on");
                    } finally {
                        steps.add("finally");
                    }
                }
                steps.add("went on");
            });
            generator.next();
            generator.close();
            assertThat(steps).containsExactly("finally", "resource");
        });
    }

    @Test
    void endsTheGenerator() throws Exception {
        stage.run(() -> {
            Generator<Integer> numbers = stage.numbers();
            numbers.next();
            assertThat(numbers.hasNext()).isTrue();
            numbers.close();
            assertThat(numbers.hasNext()).isFalse();
            assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(numbers::next);
        });
    }

    @Test
    void aGeneratorThatIsClosedBeforeItStartsNeverRuns() throws Exception {
        stage.run(() -> {
            Generator<Integer> generator = stage.of(_ -> steps.add("ran"));
            generator.close();
            assertThat(generator.hasNext()).isFalse();
            assertThat(steps).isEmpty();
        });
    }

    @Test
    void isIdempotent() throws Exception {
        stage.run(() -> {
            Generator<Integer> generator = stage.of(emitter -> {
                try {
                    emitter.emit(1);
                } finally {
                    steps.add("finally");
                }
            });
            generator.next();
            generator.close();
            generator.close();
            assertThat(steps).containsExactly("finally");

            Generator<Integer> ended = stage.of(_ -> {});
            assertThat(ended.hasNext()).isFalse();
            ended.close();
        });
    }

    @Test
    void goesByHandlersOfExceptions() throws Exception {
        stage.run(() -> {
            Generator<Integer> generator = stage.of(emitter -> {
                try {
                    emitter.emit(1);
                } catch (Exception e) {
                    steps.add("caught " + e);
                }
                steps.add("went on");
            });
            generator.next();
            generator.close();
            assertThat(steps).isEmpty();
        });
    }

    @Test
    void emitWhileClosingIsRefused() throws Exception {
        stage.run(() -> {
            Generator<Integer> generator = stage.of(emitter -> {
                try {
                    emitter.emit(1);
                } finally {
                    emitter.emit(2);
                }
            });
            generator.next();
            assertThatIllegalStateException()
                    .isThrownBy(generator::close)
                    .withMessageContaining("emit while the generator is being closed");
            assertThat(generator.hasNext()).isFalse();
        });
    }

    @Test
    void aBodyThatCatchesEverythingCannotGoOnEmitting() throws Exception {
        stage.run(() -> {
            AtomicInteger refused = new AtomicInteger();
            Generator<Integer> generator = stage.of(emitter -> {
                for (int i = 0; i < 5; i++) {
                    try {
                        emitter.emit(i);
                    } catch (Throwable e) {
                        refused.incrementAndGet();
                    }
                }
            });
            generator.next();
            generator.close();
            assertThat(refused).hasValue(5);
            assertThat(generator.hasNext()).isFalse();
        });
    }

    @Test
    void throwsWhatFinallyBlocksThrow() throws Exception {
        stage.run(() -> {
            Generator<Integer> unchecked = closing(() -> {
                throw new IllegalArgumentException("broken");
            });
            assertThatIllegalArgumentException().isThrownBy(unchecked::close).withMessage("broken");
            unchecked.close();

            Generator<Integer> checked = closing(() -> {
                throw new IOException("broken");
            });
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(checked::close)
                    .withCauseInstanceOf(IOException.class);
        });
    }

    @SuppressWarnings("Finally")
    private Generator<Integer> closing(Action cleanup) {
        Generator<Integer> generator = stage.of(emitter -> {
            try {
                emitter.emit(1);
            } finally {
                cleanup.run();
            }
        });
        generator.next();
        return generator;
    }

    @Test
    void throwsWhatResourcesThrowWhenTheyAreClosed() throws Exception {
        stage.run(() -> {
            Generator<Integer> generator = stage.of(emitter -> {
                try (AutoCloseable _ = () -> {
                            throw new IllegalArgumentException("second");
                        };
                        AutoCloseable _ = () -> {
                            throw new IOException("first");
                        }) {
                    emitter.emit(1);
                }
            });
            generator.next();
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(generator::close)
                    .withCauseInstanceOf(IOException.class)
                    .havingCause()
                    .satisfies(e ->
                            assertThat(e.getSuppressed()).singleElement().isInstanceOf(IllegalArgumentException.class));
        });
    }

    @Test
    void aBodyMayWaitWhileItIsUnwound() throws Exception {
        stage.run(() -> {
            Generator<Integer> generator = closing(() -> {
                Thread.sleep(1);
                steps.add("slept");
            });
            generator.close();
            assertThat(steps).containsExactly("slept");
        });
    }
}
