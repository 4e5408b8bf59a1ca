package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.skein.internal.loom.ThreadTurns;
import io.skein.sync.Channel;
import io.skein.sync.Select;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever would wait for its own end is told so at once, and goes on. */
@Mode.Each
@Timeout(30)
class SelfJoinTest extends ModeTest {
    SelfJoinTest(Mode mode) {
        super(mode);
    }

    private void isRefused(ThrowingCallable wait) throws Exception {
        Coroutine<Throwable> coroutine = skein.spawn("ouroboros", () -> catchThrowable(wait));

        assertThat(coroutine.get(20, TimeUnit.SECONDS)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aCoroutineThatJoinsItselfIsToldSo() throws Exception {
        Throwable thrown = skein.spawn(
                        "ouroboros",
                        () -> catchThrowable(() -> Coroutine.current().join()))
                .get(20, TimeUnit.SECONDS);

        assertThat(thrown)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("ouroboros awaits itself, so it would never end");
    }

    @Test
    void aCoroutineThatGetsItselfIsToldSo() throws Exception {
        isRefused(() -> Coroutine.current().get());
    }

    @Test
    void aCoroutineThatGetsItselfWithABoundIsToldSoBeforeTheBoundHasPassed() throws Exception {
        isRefused(() -> Coroutine.current().get(1, TimeUnit.HOURS));
    }

    @Test
    void aChildOfAScopeThatJoinsItselfIsToldSo() throws Exception {
        skein.blockOn(() -> {
            try (var scope = Scope.<Throwable>open()) {
                Coroutine<Throwable> child = scope.fork(() -> catchThrowable(Coroutine.current()::join));
                scope.join();
                assertThat(child.resultNow()).isInstanceOf(IllegalStateException.class);
            }
        });
    }

    @Test
    void aCoroutineThatIsInterruptedAndJoinsItselfIsToldOfTheLatter() throws Exception {
        isRefused(() -> {
            Thread.currentThread().interrupt();
            Coroutine.current().join();
        });
    }

    @Test
    void aCoroutineThatWaitsForTheFirstEndAndHasOnlyItsOwnIsToldSo() throws Exception {
        isRefused(() -> Tasks.whenAny(Coroutine.current(), Coroutine.current()));
    }

    @Test
    void aCoroutineMayWaitForItselfOrAnotherToEnd() throws Exception {
        Coroutine<String> other = skein.spawn(() -> "other");

        skein.blockOn(() -> {
            Coroutine<?> first = Tasks.<Object>whenAny(Coroutine.current(), other);
            assertThat(first).isSameAs(other);
        });
    }

    @Test
    void aSelectOfNothingButTheCallersOwnEndIsRefused() throws Exception {
        isRefused(() ->
                Select.of(Select.join(Coroutine.current(), result -> result)).await());
    }

    @Test
    void aSelectOfTheCallersOwnEndAndSomethingElseWaits() throws Exception {
        Channel<String> channel = Channel.rendezvous();
        Coroutine<Object> selecting = skein.spawn(() -> Select.<Object>of(
                        Select.join(Coroutine.current(), result -> "own end"), Select.receive(channel, value -> value))
                .await());
        Await.untilWaiting(selecting);

        channel.send("something else");

        assertThat(selecting.join()).isEqualTo("something else");
        assertThat(skein.<Object>blockOn(() -> Select.<Object>of(
                                Select.join(Coroutine.current(), result -> "own end"),
                                Select.after(Duration.ofMillis(1), () -> "time"))
                        .await()))
                .isEqualTo("time");
    }

    @Test
    void theBodyOfAGeneratorThatJoinsItsConsumerIsToldSo() throws Exception {
        Throwable thrown = skein.spawn(() -> {
                    Coroutine<?> consumer = Coroutine.current();
                    try (var generator =
                            Generator.<Throwable>of(emitter -> emitter.emit(catchThrowable(consumer::join)))) {
                        return generator.next();
                    }
                })
                .get(20, TimeUnit.SECONDS);

        assertThat(thrown).isInstanceOf(IllegalStateException.class).hasMessageContaining("awaits itself");
    }

    @Test
    void theBodyOfAGeneratorThatHasAThreadOfItsOwnAndJoinsItsConsumerIsToldSo() throws Exception {
        Throwable thrown = skein.spawn(() -> {
                    Coroutine<?> consumer = Coroutine.current();
                    try (var generator = Generator.<Throwable>of(
                            emitter -> emitter.emit(catchThrowable(consumer::join)), ThreadTurns::new)) {
                        return generator.next();
                    }
                })
                .get(20, TimeUnit.SECONDS);

        assertThat(thrown).isInstanceOf(IllegalStateException.class).hasMessageContaining("awaits itself");
    }

    @Test
    void aTaskThatAwaitsItselfThroughAGeneratorIsToldSo() throws Exception {
        AtomicReference<Task<Throwable>> self = new AtomicReference<>();
        self.set(Task.of(() -> {
            try (var generator = Generator.<Throwable>of(
                    emitter -> emitter.emit(catchThrowable(() -> self.get().await())), ThreadTurns::new)) {
                return generator.next();
            }
        }));

        assertThat(skein.spawn(self.get()).get(20, TimeUnit.SECONDS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("awaits itself");
    }

    @Test
    void aChildCannotJoinTheScopeThatItLivesIn() throws Exception {
        skein.blockOn(() -> {
            try (var scope = Scope.<Throwable>open()) {
                Coroutine<Throwable> joining = scope.fork(() -> catchThrowable(scope::join));
                Coroutine<Throwable> closing = scope.fork(() -> catchThrowable(scope::close));
                scope.join();
                assertThat(joining.resultNow()).isInstanceOf(WrongThreadException.class);
                assertThat(closing.resultNow()).isInstanceOf(WrongThreadException.class);
            }
        });
    }

    @Test
    void aCoroutineCannotStopItsRuntimeInAnyWayThatWaits() throws Exception {
        isRefused(skein::close);
        isRefused(skein::loop);
        isRefused(() -> skein.close(Duration.ofHours(1)));
        isRefused(() -> Skein.blocking(() -> skein.close(Duration.ofHours(1))));
    }

    @Test
    void aCoroutineMayBlockOnAnotherOfItsOwnRuntime() throws Exception {
        assertThat(skein.blockOn(() -> skein.blockOn(() -> skein.blockOn(() -> "three deep"))))
                .isEqualTo("three deep");
    }

    @Test
    void shutdownNowWithABoundIsRefusedBeforeItInterruptsItsCaller() throws Exception {
        Coroutine<Boolean> coroutine = skein.spawn(() -> {
            assertThatIllegalStateException().isThrownBy(() -> skein.shutdownNow(Duration.ofHours(1)));
            return Thread.currentThread().isInterrupted();
        });

        assertThat(coroutine.get(20, TimeUnit.SECONDS)).isFalse();
        assertThat(skein.blockOn(() -> "still open")).isEqualTo("still open");
    }

    @Test
    void aCoroutineThatWasRefusedCanBeJoinedByOthers() throws Exception {
        Coroutine<String> coroutine = skein.spawn(() -> {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> Coroutine.current().join());
            return "value";
        });

        assertThat(coroutine.join()).isEqualTo("value");
    }
}
