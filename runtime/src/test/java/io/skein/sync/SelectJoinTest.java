package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Collision;
import io.skein.Coroutine;
import io.skein.ThreadKind.Running;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** A select over the ends of coroutines. */
@Crowd.Each
class SelectJoinTest extends CrowdTest {
    private final Channel<String> channel = Channel.rendezvous();

    /** Holds a coroutine until the test lets it go on. */
    private final Channel<String> gate = Channel.buffered(2);

    SelectJoinTest(Crowd crowd) {
        super(crowd);
    }

    @Test
    void aCoroutineThatHasEndedIsThereAtOnce() throws Exception {
        Coroutine<String> ended = skein.spawn(() -> "value");
        ended.join();

        assertThat(call(Select.of(Select.receive(channel, v -> v), Select.join(ended, v -> "ended with " + v))::await))
                .isEqualTo("ended with value");
        ChannelTest.assertQuiet(channel);
    }

    @Test
    void theEndOfACoroutineEndsTheWait() throws Exception {
        Coroutine<String> coroutine = skein.spawn(gate::receive);
        Running<String> waiting = startWaiting(
                Select.of(Select.receive(channel, v -> v), Select.join(coroutine, v -> "ended with " + v))::await);

        gate.trySend("value");

        assertThat(waiting.get()).isEqualTo("ended with value");
        ChannelTest.assertQuiet(channel);
    }

    @Test
    void theFirstCoroutineToEndCounts() throws Exception {
        Coroutine<String> slow = skein.spawn(channel::receive);
        Coroutine<String> fast = skein.spawn(gate::receive);
        Running<String> waiting = startWaiting(
                Select.of(Select.join(slow, v -> "slow " + v), Select.join(fast, v -> "fast " + v))::await);

        gate.trySend("1");

        assertThat(waiting.get()).isEqualTo("fast 1");
        run(() -> channel.send("2"));
        assertThat(slow.join()).isEqualTo("2");
    }

    @Test
    void aValueMayComeFirst() throws Exception {
        Coroutine<String> coroutine = skein.spawn(gate::receive);
        Running<String> waiting =
                startWaiting(Select.of(Select.receive(channel, v -> v), Select.join(coroutine, v -> v))::await);

        assertThat(channel.trySend("first")).isTrue();

        assertThat(waiting.get()).isEqualTo("first");
        gate.trySend("second");
        assertThat(coroutine.join()).isEqualTo("second");
    }

    @Test
    void aFailureIsThrownAndCountsAsHeard() {
        Coroutine<String> failing = skein.spawn(() -> {
            gate.receive();
            throw new IllegalStateException("failed");
        });
        Running<String> waiting =
                startWaiting(Select.of(Select.receive(channel, v -> v), Select.join(failing, v -> v))::await);

        gate.trySend("fail");

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(waiting::get)
                .havingCause()
                .isInstanceOf(CompletionException.class)
                .withMessageContaining("failed");
    }

    @Test
    void aFailureThatLostIsUnheard() throws Exception {
        expectUnheardFailures();
        Coroutine<String> failing = skein.spawn(() -> {
            gate.receive();
            throw new IllegalStateException("failed");
        });
        Running<String> waiting =
                startWaiting(Select.of(Select.receive(channel, v -> v), Select.join(failing, v -> v))::await);
        channel.trySend("first");
        waiting.get();

        gate.trySend("fail");

        Await.until("the handler hears of it", () -> unheardFailures.size() == 1);
    }

    @Test
    void aCancellationIsThrown() {
        Coroutine<String> cancelled = skein.spawn(gate::receive);
        Running<String> waiting =
                startWaiting(Select.of(Select.receive(channel, v -> v), Select.join(cancelled, v -> v))::await);

        cancelled.cancel(true);

        assertThatExceptionOfType(Exception.class)
                .isThrownBy(waiting::get)
                .satisfies(e -> assertThat(e instanceof CancellationException ? e : e.getCause())
                        .isInstanceOf(CancellationException.class));
    }

    @Test
    void anEndThatComesAsTheWaitBeginsIsNotMissed() throws Exception {
        Collision.repeat(Duration.ofMillis(200), round -> {
            Coroutine<Integer> coroutine = skein.spawn(() -> {
                Collision.takeSomeSteps();
                return round;
            });

            assertThat(call(Select.of(Select.receive(channel, String::length), Select.join(coroutine, v -> v))::await))
                    .isEqualTo(round);
        });
        ChannelTest.assertQuiet(channel);
    }
}
