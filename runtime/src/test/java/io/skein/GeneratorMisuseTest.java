package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who may not use a generator or an emitter, and when: each is told so, and nothing else happens. */
@Stage.Each
@ExtendWith(LeakCheck.class)
@Timeout(60)
class GeneratorMisuseTest {
    private final Stage stage;

    GeneratorMisuseTest(Stage stage) {
        this.stage = stage;
    }

    /** What the call throws in a thread of its own; null if nothing. */
    private static @Nullable Throwable elsewhere(ThrowingCallable call) throws Exception {
        CompletableFuture<@Nullable Throwable> thrown = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                call.call();
                thrown.complete(null);
            } catch (Throwable e) {
                thrown.complete(e);
            }
        });
        return thrown.get();
    }

    @Test
    void anotherThreadMayNotGoOnWithAStartedGenerator() throws Exception {
        stage.run(() -> {
            Generator<Integer> numbers = stage.numbers();
            numbers.next();
            assertThat(elsewhere(numbers::next))
                    .isInstanceOf(WrongThreadException.class)
                    .hasMessageContaining("#" + Thread.currentThread().threadId());
            assertThat(elsewhere(numbers::hasNext)).isInstanceOf(WrongThreadException.class);
            assertThat(elsewhere(numbers::close)).isInstanceOf(WrongThreadException.class);
            assertThat(numbers.next()).isEqualTo(1);
            numbers.close();
        });
    }

    @Test
    void anotherThreadMayStartAGeneratorAndCloseOneThatHasEnded() throws Exception {
        stage.run(() -> {
            Generator<Integer> numbers = stage.numbers();
            assertThat(elsewhere(() -> {
                        assertThat(numbers.next()).isZero();
                        numbers.close();
                    }))
                    .isNull();
            assertThat(numbers.hasNext()).isFalse();
            numbers.close();
        });
    }

    @Test
    void theBodyMayNotUseItsOwnGenerator() throws Exception {
        stage.run(() -> {
            AtomicReference<Generator<Integer>> self = new AtomicReference<>();
            self.set(stage.of(emitter -> {
                assertThatIllegalStateException()
                        .isThrownBy(() -> self.get().next())
                        .withMessageContaining("cannot use the generator that runs it");
                assertThatIllegalStateException().isThrownBy(() -> self.get().hasNext());
                assertThatIllegalStateException().isThrownBy(() -> self.get().close());
                emitter.emit(1);
            }));
            assertThat(self.get().stream().toList()).containsExactly(1);
        });
    }

    @Test
    void onlyTheBodysThreadMayEmit() throws Exception {
        stage.run(() -> {
            Generator<Integer> generator = stage.of(emitter -> {
                assertThat(elsewhere(() -> emitter.emit(1)))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("emit outside the generator's body");
                assertThat(elsewhere(() -> emitter.emitAll(stage.numbers()))).isInstanceOf(IllegalStateException.class);
                emitter.emit(2);
            });
            assertThat(generator.stream().toList()).containsExactly(2);
        });
    }

    @Test
    void theConsumerMayNotEmit() throws Exception {
        stage.run(() -> {
            AtomicReference<Emitter<Integer>> leaked = new AtomicReference<>();
            Generator<Integer> generator = stage.of(emitter -> {
                leaked.set(emitter);
                emitter.emit(1);
                emitter.emit(2);
            });
            generator.next();
            assertThatIllegalStateException().isThrownBy(() -> leaked.get().emit(7));
            assertThat(generator.next()).isEqualTo(2);
            assertThat(generator.hasNext()).isFalse();
        });
    }

    @Test
    void nobodyMayEmitAfterTheEnd() throws Exception {
        stage.run(() -> {
            AtomicReference<Emitter<Integer>> leaked = new AtomicReference<>();
            Generator<Integer> ended = stage.of(leaked::set);
            assertThat(ended.hasNext()).isFalse();
            assertThatIllegalStateException().isThrownBy(() -> leaked.get().emit(1));
            assertThat(elsewhere(() -> leaked.get().emit(1))).isInstanceOf(IllegalStateException.class);
            assertThat(ended.hasNext()).isFalse();
        });
    }

    @Test
    void emitInsideSynchronizedIsRefusedWhereItIsSeen() throws Exception {
        assumeTrue(stage.isContinuation(), "a thread of its own may hold what it likes");
        Object monitor = new Object();
        stage.run(() -> {
            Generator<Integer> generator = stage.of(emitter -> {
                synchronized (monitor) {
                    assertThatIllegalStateException()
                            .isThrownBy(() -> emitter.emit(1))
                            .withMessageContaining("synchronized");
                }
                emitter.emit(2);
            });
            synchronized (stage) { // the consumer's own monitors do not count
                assertThat(generator.next()).isEqualTo(2);
            }
            assertThat(generator.hasNext()).isFalse();
        });
    }

    /** Its initialiser emits: the JVM's own frames are then on the body's stack. */
    private static final class EmittingInitialiser {
        static @Nullable Emitter<Integer> emitter;

        static final class Holder {
            static {
                if (emitter != null) {
                    emitter.emit(1);
                }
            }

            static void initialise() {}
        }
    }

    @Test
    void emitInAClassInitialiserIsRefused() throws Exception {
        assumeTrue(
                stage.isContinuation() && stage.place() == Stage.Place.STEALING_1,
                "a class is initialised once: another stage tries it");
        stage.run(() -> {
            Generator<Integer> generator = stage.of(emitter -> {
                EmittingInitialiser.emitter = emitter;
                assertThatExceptionOfType(ExceptionInInitializerError.class)
                        .isThrownBy(EmittingInitialiser.Holder::initialise)
                        .withCauseInstanceOf(IllegalStateException.class);
                EmittingInitialiser.emitter = null;
                emitter.emit(2);
            });
            assertThat(generator.stream().toList()).containsExactly(2);
        });
    }
}
