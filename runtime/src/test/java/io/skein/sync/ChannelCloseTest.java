package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.skein.ThreadKind.Running;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** A closed channel gives out what it holds, and refuses everything else. */
@Crowd.Each
class ChannelCloseTest extends CrowdTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    ChannelCloseTest(Crowd crowd) {
        super(crowd);
    }

    @ParameterizedTest
    @EnumSource
    void whoSendsIsRefused(Kind kind) {
        Channel<Integer> channel = kind.channel();
        channel.close();

        assertThat(channel.isClosed()).isTrue();
        assertClosed(() -> channel.send(1));
        assertClosed(() -> channel.trySend(1));
        assertClosed(() -> channel.trySend(1, LONG));
    }

    @ParameterizedTest
    @EnumSource
    void whoReceivesIsRefusedWhenNothingIsLeft(Kind kind) {
        Channel<Integer> channel = kind.channel();
        channel.close();

        assertClosed(channel::receive);
        assertClosed(channel::tryReceive);
        assertClosed(() -> channel.tryReceive(LONG));
    }

    @Test
    void whatIsInsideIsStillReceived() throws Exception {
        Channel<Integer> channel = Channel.buffered(4);
        for (int i = 0; i < 3; i++) {
            channel.trySend(i);
        }
        channel.close();

        assertThat(channel.receive()).isZero();
        assertThat(channel.tryReceive()).isEqualTo(1);
        assertThat(channel.tryReceive(LONG)).isEqualTo(2);
        assertClosed(channel::receive);
    }

    @ParameterizedTest
    @EnumSource
    void receiversThatWaitAreToldOfTheClose(Kind kind) {
        Channel<Integer> channel = kind.channel();
        List<Running<?>> receivers = List.of(
                startWaiting(channel::receive),
                startWaiting(channel::receive),
                startWaiting(() -> channel.tryReceive(LONG)));

        channel.close();

        receivers.forEach(ChannelCloseTest::assertRefused);
        ChannelTest.assertQuiet(channel);
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"UNBOUNDED", "CONFLATED"})
    void sendersThatWaitAreToldOfTheClose(Kind kind) {
        Channel<Integer> channel = kind.full();
        List<Running<?>> senders = List.of(
                startSending(channel, 1), startSending(channel, 2), startWaiting(() -> channel.trySend(3, LONG)));

        channel.close();

        senders.forEach(ChannelCloseTest::assertRefused);
        kind.drain(channel);
        assertClosed(channel::tryReceive);
        ChannelTest.assertQuiet(channel);
    }

    @ParameterizedTest
    @EnumSource
    void theReasonIsTheCause(Kind kind) {
        Channel<Integer> channel = kind.channel();
        IllegalStateException reason = new IllegalStateException("no more orders");
        Running<?> receiver = startWaiting(channel::receive);

        assertThat(channel.closeWith(reason)).isTrue();

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(receiver::get)
                .havingCause()
                .isInstanceOf(ChannelClosedException.class)
                .withMessageContaining("no more orders")
                .havingCause()
                .isSameAs(reason);
        assertThatExceptionOfType(ChannelClosedException.class)
                .isThrownBy(() -> channel.send(1))
                .havingCause()
                .isSameAs(reason);
    }

    @Test
    void theFirstCloseCounts() {
        Channel<Integer> channel = Channel.rendezvous();
        channel.close();
        channel.close();

        assertThat(channel.closeWith(new IllegalStateException("too late"))).isFalse();
        assertThatExceptionOfType(ChannelClosedException.class)
                .isThrownBy(channel::receive)
                .withNoCause();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "CONFLATED")
    void aLoopEndsAtTheClose(Kind kind) throws Exception {
        Channel<Integer> channel = kind.channel();
        Running<List<Integer>> loop = start(() -> {
            List<Integer> seen = new ArrayList<>();
            for (int value : channel) {
                seen.add(value);
            }
            return seen;
        });

        run(() -> {
            for (int i = 0; i < 5; i++) {
                channel.send(i);
            }
            channel.close();
        });

        assertThat(loop.get()).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void aLoopThrowsTheReason() {
        Channel<Integer> channel = Channel.buffered(1);
        channel.trySend(1);
        channel.closeWith(new IllegalStateException("torn"));
        List<Integer> seen = new ArrayList<>();

        assertThatExceptionOfType(ChannelClosedException.class).isThrownBy(() -> channel.forEach(seen::add));
        assertThat(seen).containsExactly(1);
    }

    @Test
    void anIteratorMayBeAskedTwice() {
        Channel<Integer> channel = Channel.buffered(2);
        channel.trySend(1);
        channel.trySend(2);
        channel.close();
        var values = channel.iterator();

        assertThat(values.hasNext()).isTrue();
        assertThat(values.hasNext()).isTrue();
        assertThat(values.next()).isEqualTo(1);
        assertThat(values.next()).isEqualTo(2);
        assertThat(values.hasNext()).isFalse();
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(values::next);
    }

    @Test
    void anInterruptEndsALoop() throws Exception {
        Channel<Integer> channel = Channel.rendezvous();
        Running<Boolean> loop = startWaiting(() -> {
            try {
                channel.forEach(_ -> {});
                return false;
            } catch (CancellationException e) {
                return Thread.interrupted();
            }
        });

        loop.thread().interrupt();

        assertThat(loop.get()).as("the interrupt status stays set").isTrue();
        assertThatNoException().isThrownBy(channel::close);
        ChannelTest.assertQuiet(channel);
    }

    private static void assertClosed(org.assertj.core.api.ThrowableAssert.ThrowingCallable operation) {
        assertThatExceptionOfType(ChannelClosedException.class)
                .isThrownBy(operation)
                .withNoCause()
                .withMessage("the channel is closed");
    }

    private static void assertRefused(Running<?> waiting) {
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(waiting::get)
                .withCauseInstanceOf(ChannelClosedException.class);
    }
}
