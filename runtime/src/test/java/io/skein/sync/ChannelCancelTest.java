package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Collision;
import io.skein.ThreadKind.Running;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** A wait that is interrupted or takes too long leaves no trace: no value is lost, none comes twice, and no place stays in line. */
@Crowd.Each
class ChannelCancelTest extends CrowdTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    ChannelCancelTest(Crowd crowd) {
        super(crowd);
    }

    /** The place of the one who is interrupted among five who wait: first, in the middle, last. */
    @ParameterizedTest
    @CsvSource({
        "RENDEZVOUS, 0",
        "RENDEZVOUS, 2",
        "RENDEZVOUS, 4",
        "BUFFERED_1, 0",
        "BUFFERED_3, 2",
        "UNBOUNDED, 4",
        "CONFLATED, 2"
    })
    void aReceiverThatIsInterruptedLeavesTheLine(Kind kind, int cancelled) throws Exception {
        Channel<Integer> channel = kind.channel();
        List<Running<Integer>> receivers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            receivers.add(startWaiting(channel::receive));
        }

        interruptAndAwait(receivers.remove(cancelled));

        for (Running<Integer> receiver : receivers) {
            assertThat(channel.trySend(7)).isTrue();
            assertThat(receiver.get()).isEqualTo(7);
        }
        ChannelTest.assertQuiet(channel);
    }

    @ParameterizedTest
    @CsvSource({"RENDEZVOUS, 0", "RENDEZVOUS, 2", "RENDEZVOUS, 4", "BUFFERED_1, 0", "BUFFERED_1, 2", "BUFFERED_3, 4"})
    void aSenderThatIsInterruptedLeavesTheLineWithItsValue(Kind kind, int cancelled) throws Exception {
        Channel<Integer> channel = kind.full();
        List<Running<@Nullable Void>> senders = new ArrayList<>();
        List<Integer> values = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            senders.add(startSending(channel, i));
            values.add(i);
        }

        interruptAndAwait(senders.remove(cancelled));
        values.remove(/* index */ cancelled);
        kind.drain(channel);

        for (int value : values) {
            assertThat(call(channel::receive)).isEqualTo(value);
        }
        for (Running<?> sender : senders) {
            sender.get();
        }
        ChannelTest.assertQuiet(channel);
    }

    /** One that has given up and is about to leave the line. */
    @ParameterizedTest
    @EnumSource
    void aReceiverThatHasGivenUpIsPassedOver(Kind kind) throws Exception {
        Channel<Integer> channel = kind.channel();
        standDead(channel, channel.receivers, null);
        Running<Integer> receiver = startWaiting(channel::receive);
        standDead(channel, channel.receivers, null);

        assertThat(channel.trySend(1)).isTrue();

        assertThat(receiver.get()).isEqualTo(1);
        assertThat(channel.trySend(2)).isEqualTo(kind != Kind.RENDEZVOUS);
        assertThat(channel.tryReceive()).isEqualTo(kind == Kind.RENDEZVOUS ? null : 2);
        ChannelTest.assertQuiet(channel);
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"UNBOUNDED", "CONFLATED"})
    void aSenderThatHasGivenUpIsPassedOver(Kind kind) throws Exception {
        Channel<Integer> channel = kind.full();
        standDead(channel, channel.senders, 1);
        Running<@Nullable Void> sender = startSending(channel, 2);
        standDead(channel, channel.senders, 3);
        kind.drain(channel);

        assertThat(call(channel::receive)).isEqualTo(2);

        sender.get();
        assertThat(channel.tryReceive()).isNull();
        ChannelTest.assertQuiet(channel);
    }

    private static void standDead(Channel<Integer> channel, Line line, @Nullable Integer value) {
        channel.lock();
        Place place = channel.unlockAndEnlist(line, value);
        assertThat(place.resume()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptThatCameBeforeEndsTheWait(Kind kind) throws Exception {
        Channel<Integer> channel = kind.channel();

        boolean stillSet = call(() -> {
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(channel::receive);
            return Thread.interrupted();
        });

        assertThat(stillSet).as("the exception tells of it instead").isFalse();
        ChannelTest.assertQuiet(channel);
    }

    @ParameterizedTest
    @EnumSource
    void aTimedReceiveReturnsNullWhenNothingComes(Kind kind) throws Exception {
        Channel<Integer> channel = kind.channel();

        assertThat(call(() -> channel.tryReceive(Duration.ofMillis(5)))).isNull();
        assertThat(call(() -> channel.tryReceive(Duration.ZERO))).isNull();
        assertThat(call(() -> channel.tryReceive(Duration.ofSeconds(-1)))).isNull();
        assertThat(call(() -> channel.tryReceive(Duration.ofSeconds(Long.MIN_VALUE))))
                .isNull();
        ChannelTest.assertQuiet(channel);
    }

    @ParameterizedTest
    @EnumSource
    void aTimedReceiveTakesWhatComesInTime(Kind kind) throws Exception {
        Channel<Integer> channel = kind.channel();
        Running<@Nullable Integer> receiver = startWaiting(() -> channel.tryReceive(LONG));

        channel.trySend(3);

        assertThat(receiver.get()).isEqualTo(3);
        ChannelTest.assertQuiet(channel);
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"UNBOUNDED", "CONFLATED"})
    void aTimedSendReturnsFalseWhenThereIsNoRoom(Kind kind) throws Exception {
        Channel<Integer> channel = kind.full();

        assertThat(call(() -> channel.trySend(1, Duration.ofMillis(5)))).isFalse();
        assertThat(call(() -> channel.trySend(1, Duration.ZERO))).isFalse();
        assertThat(call(() -> channel.trySend(1, Duration.ofSeconds(Long.MIN_VALUE))))
                .isFalse();
        kind.drain(channel);
        ChannelTest.assertQuiet(channel);
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"UNBOUNDED", "CONFLATED"})
    void aTimedSendIsDoneWhenThereIsRoomInTime(Kind kind) throws Exception {
        Channel<Integer> channel = kind.full();
        Running<Boolean> sender = startWaiting(() -> channel.trySend(1, LONG));
        kind.drain(channel);

        assertThat(call(channel::receive)).isEqualTo(1);
        assertThat(sender.get()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aVeryLongTimeIsNoProblem(Kind kind) throws Exception {
        Channel<Integer> channel = kind.channel();
        Running<@Nullable Integer> receiver = startWaiting(() -> channel.tryReceive(Duration.ofDays(1_000_000_000)));

        channel.trySend(3);

        assertThat(receiver.get()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource
    void aTimedWaitEndsAtAnInterrupt(Kind kind) {
        Channel<Integer> channel = kind.channel();

        interruptAndAwait(startWaiting(() -> channel.tryReceive(LONG)));

        ChannelTest.assertQuiet(channel);
    }

    /** Whoever wins, the sender's word and the receiver's agree. */
    @ParameterizedTest
    @EnumSource(names = {"RENDEZVOUS"})
    void anInterruptAndAPeerAgreeOnWhetherTheValueWasTaken(Kind kind) throws Exception {
        Channel<Integer> channel = kind.channel();
        Collision.repeat(Duration.ofMillis(300), round -> {
            Running<@Nullable Integer> receiver = startWaiting(() -> {
                try {
                    return channel.receive();
                } catch (InterruptedException e) {
                    return null;
                }
            });
            Collision collision = new Collision(2);
            Thread shooter = Thread.ofPlatform().start(() -> {
                collision.meet();
                receiver.thread().interrupt();
            });
            collision.meet();

            boolean sent = channel.trySend(round);

            assertThat(receiver.get()).isEqualTo(sent ? (Integer) round : null);
            shooter.join();
        });
        ChannelTest.assertQuiet(channel);
    }

    private static void interruptAndAwait(Running<?> waiting) {
        waiting.thread().interrupt();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(waiting::get)
                .withCauseInstanceOf(InterruptedException.class);
    }
}
