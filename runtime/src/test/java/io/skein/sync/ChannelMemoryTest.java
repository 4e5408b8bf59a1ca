package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.ThreadKind;
import io.skein.ThreadKind.Running;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Nothing that was sent, and nobody who waited, is kept by a channel. */
@Crowd.Each
class ChannelMemoryTest extends CrowdTest {
    ChannelMemoryTest(Crowd crowd) {
        super(crowd);
    }

    @ParameterizedTest
    @EnumSource
    void aValueThatWasReceivedIsLetGo(Kind kind) throws Exception {
        Channel<Object> channel = kind.channel();
        WeakReference<Object> value = call(() -> {
            Running<Object> receiver = ThreadKind.VIRTUAL.start(skein, channel::receive);
            receiver.awaitWaiting();
            Object sent = new Object();
            channel.send(sent);
            assertThat(receiver.get()).isSameAs(sent);
            return new WeakReference<>(sent);
        });

        awaitCollected(value);
        assertThat(channel.isClosed()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"UNBOUNDED", "CONFLATED"})
    void aValueThatCouldNotBeSentIsLetGo(Kind kind) throws Exception {
        Channel<Object> channel = kind.channel();
        for (int i = 0; i < kind.capacity(); i++) {
            channel.trySend(i);
        }
        WeakReference<Object> value = call(() -> {
            Object sent = new Object();
            assertThat(channel.trySend(sent, Duration.ofMillis(1))).isFalse();
            return new WeakReference<>(sent);
        });

        awaitCollected(value);
        assertThat(channel.senders.isEmpty()).isTrue();
    }

    @Test
    void manySelectsLeaveNothingInAQuietChannel() throws Exception {
        Channel<Integer> quiet = Channel.rendezvous();
        Channel<Integer> busy = Channel.buffered(1);
        Coroutine<Integer> coroutine = skein.spawn(quiet::receive);
        Await.untilWaiting(coroutine);
        Channel<Integer> alsoQuiet = Channel.rendezvous();
        Running<Integer> selects = start(() -> {
            int sum = 0;
            for (int i = 0; i < 200; i++) {
                sum += Select.of(
                                Select.receive(alsoQuiet, v -> v),
                                Select.join(coroutine, v -> v),
                                Select.receive(busy, v -> v))
                        .await();
            }
            return sum;
        });
        run(() -> {
            for (int i = 0; i < 200; i++) {
                busy.send(1);
            }
        });

        assertThat(selects.get()).isEqualTo(200);
        ChannelTest.assertQuiet(alsoQuiet);
        quiet.trySend(0);
        coroutine.join();
    }

    @Test
    void aCancelledWaitIsLetGo() {
        Channel<Object> channel = Channel.rendezvous();
        Running<Object> waiting = startWaiting(channel::receive);
        waiting.thread().interrupt();
        assertThatExceptionOfType(ExecutionException.class).isThrownBy(waiting::get);

        ChannelTest.assertQuiet(channel);
    }

    private static void awaitCollected(WeakReference<?> value) {
        Await.until("it is collected", () -> {
            System.gc();
            return value.get() == null;
        });
    }
}
