package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** An exception in the body comes out where an element was asked for. */
@Stage.Each
@ExtendWith(LeakCheck.class)
@Timeout(60)
class GeneratorFailureTest {
    private final Stage stage;

    GeneratorFailureTest(Stage stage) {
        this.stage = stage;
    }

    private Generator<Integer> failingWith(Throwable failure) {
        return stage.of(emitter -> {
            emitter.emit(1);
            switch (failure) {
                case Error e -> throw e;
                case Exception e -> throw e;
                default -> throw new AssertionError(failure);
            }
        });
    }

    @Test
    void uncheckedExceptionsAndErrorsComeOutAsTheyAre() throws Exception {
        stage.run(() -> {
            for (Throwable failure :
                    new Throwable[] {new IllegalArgumentException("broken"), new AssertionError("broken")}) {
                Generator<Integer> generator = failingWith(failure);
                assertThat(generator.next()).isEqualTo(1);
                assertThatThrownBy(generator::next).isSameAs(failure);
                assertThat(generator.hasNext()).isFalse();
                assertThatThrownBy(generator::next).isInstanceOf(NoSuchElementException.class);
            }
        });
    }

    @Test
    void hasNextThrowsToo() throws Exception {
        stage.run(() -> {
            RuntimeException failure = new IllegalArgumentException("broken");
            Generator<Integer> generator = failingWith(failure);
            generator.next();
            assertThatThrownBy(generator::hasNext).isSameAs(failure);
            assertThat(generator.hasNext()).isFalse();
            generator.close();
        });
    }

    @Test
    void checkedExceptionsAreTheCauseOfACompletionException() throws Exception {
        stage.run(() -> {
            IOException failure = new IOException("broken");
            Generator<Integer> generator = failingWith(failure);
            generator.next();
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(generator::next)
                    .withCause(failure)
                    .withMessageContaining("broken");
            assertThat(generator.hasNext()).isFalse();
        });
    }

    @Test
    void afterAnInterruptedExceptionTheInterruptStatusIsSetAgain() throws Exception {
        stage.run(() -> {
            InterruptedException failure = new InterruptedException("broken");
            Generator<Integer> generator = failingWith(failure);
            generator.next();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(generator::next)
                    .withCause(failure);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(generator.hasNext()).isFalse();
        });
    }

    @Test
    void aBodyThatRunsOutOfStackFailsAndTheThreadGoesOn() throws Exception {
        stage.run(() -> {
            Generator<Integer> generator = stage.of(emitter -> emitter.emit(recurse(0)));
            assertThatThrownBy(generator::next).isInstanceOf(StackOverflowError.class);
            assertThat(stage.<Integer>of(emitter -> emitter.emit(3)).stream().toList())
                    .containsExactly(3);
        });
    }

    @SuppressWarnings("InfiniteRecursion")
    private static int recurse(int depth) {
        return recurse(depth + 1) + 1;
    }

    @Test
    void aBodyThatIsTooDeepToBeSuspendedFailsAndHasEnded() throws Exception {
        stage.run(() -> {
            boolean failed = false;
            for (int depth = 100; !failed; depth *= 2) {
                int levels = depth;
                Generator<Integer> generator = stage.of(emitter -> emitAtDepth(emitter, levels));
                try {
                    assertThat(generator.next()).isEqualTo(7);
                    assertThat(generator.hasNext()).isFalse();
                } catch (StackOverflowError e) {
                    failed = true;
                }
                assertThat(generator.hasNext()).isFalse();
            }
        });
    }

    private static void emitAtDepth(Emitter<Integer> emitter, int depth) {
        if (depth > 0) {
            emitAtDepth(emitter, depth - 1);
        } else {
            emitter.emit(7);
        }
    }

    @Test
    void aConsumerThatRunsOutOfStackInNextHarmsNobodyElse() throws Exception {
        assumeTrue(stage.isContinuation(), "a thread that runs out of stack while it parks is not for us to save");
        stage.run(() -> {
            Generator<Integer> numbers = stage.numbers();
            assertThatThrownBy(() -> readEverDeeper(numbers)).isInstanceOf(StackOverflowError.class);
            numbers.close();
            assertThat(stage.<Integer>of(emitter -> emitter.emit(3)).stream().toList())
                    .containsExactly(3);
        });
    }

    @SuppressWarnings("InfiniteRecursion")
    private static int readEverDeeper(Generator<Integer> numbers) {
        return numbers.next() + readEverDeeper(numbers);
    }
}
