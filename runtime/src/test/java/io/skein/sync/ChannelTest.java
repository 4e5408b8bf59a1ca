package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.skein.ThreadKind.Running;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Values go from senders to receivers, in order, and whoever has to waits. */
@Crowd.Each
class ChannelTest extends CrowdTest {
    ChannelTest(Crowd crowd) {
        super(crowd);
    }

    @ParameterizedTest
    @EnumSource
    void aValueThatIsSentIsReceived(Kind kind) throws Exception {
        Channel<String> channel = kind.channel();
        Running<String> receiver = start(channel::receive);

        run(() -> channel.send("hello"));

        assertThat(receiver.get()).isEqualTo("hello");
        assertQuiet(channel);
    }

    @ParameterizedTest
    @EnumSource
    void aReceiverWaitsForAValue(Kind kind) throws Exception {
        Channel<String> channel = kind.channel();
        Running<String> receiver = startWaiting(channel::receive);

        assertThat(channel.trySend("hello")).isTrue();

        assertThat(receiver.get()).isEqualTo("hello");
        assertQuiet(channel);
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"UNBOUNDED", "CONFLATED"})
    void aSenderWaitsWhileThereIsNoRoom(Kind kind) throws Exception {
        Channel<Integer> channel = kind.full();
        assertThat(channel.trySend(0)).isFalse();
        Running<@Nullable Void> sender = startSending(channel, 7);

        kind.drain(channel);

        assertThat(call(channel::receive)).isEqualTo(7);
        sender.get();
        assertQuiet(channel);
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"UNBOUNDED", "CONFLATED"})
    void sendersAreServedInTheOrderTheyCame(Kind kind) throws Exception {
        Channel<Integer> channel = kind.full();
        List<Running<?>> senders = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            senders.add(startSending(channel, i));
        }

        kind.drain(channel);

        for (int i = 0; i < 5; i++) {
            assertThat(call(channel::receive)).isEqualTo(i);
        }
        for (Running<?> sender : senders) {
            sender.get();
        }
    }

    @ParameterizedTest
    @EnumSource
    void receiversAreServedInTheOrderTheyCame(Kind kind) throws Exception {
        Channel<Integer> channel = kind.channel();
        List<Running<Integer>> receivers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            receivers.add(startWaiting(channel::receive));
        }

        for (int i = 0; i < 5; i++) {
            assertThat(channel.trySend(i)).isTrue();
        }

        for (int i = 0; i < 5; i++) {
            assertThat(receivers.get(i).get()).isEqualTo(i);
        }
        assertQuiet(channel);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "CONFLATED")
    void whatOneThreadSendsIsReceivedInItsOrder(Kind kind) throws Exception {
        int count = 1000;
        Channel<Integer> channel = kind.channel();
        Running<List<Integer>> receiver = start(() -> {
            List<Integer> received = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                received.add(channel.receive());
            }
            return received;
        });

        run(() -> {
            for (int i = 0; i < count; i++) {
                channel.send(i);
            }
        });

        assertThat(receiver.get()).isEqualTo(IntStream.range(0, count).boxed().toList());
    }

    @Test
    void aRendezvousHoldsNothing() {
        Channel<Integer> channel = Channel.rendezvous();

        assertThat(channel.trySend(1)).isFalse();
        assertThat(channel.tryReceive()).isNull();
    }

    @Test
    void aBufferedChannelHoldsSoManyValues() {
        Channel<Integer> channel = Channel.buffered(100);
        int sent = 0;
        while (channel.trySend(sent)) {
            sent++;
        }

        assertThat(sent).isEqualTo(100);
        for (int i = 0; i < 100; i++) {
            assertThat(channel.tryReceive()).isEqualTo(i);
        }
        assertThat(channel.tryReceive()).isNull();
    }

    @Test
    void anUnboundedChannelHoldsAnyNumber() throws Exception {
        int many = 100_000;
        Channel<Integer> channel = Channel.unbounded();

        run(() -> {
            for (int i = 0; i < many; i++) {
                channel.send(i);
            }
        });

        for (int i = 0; i < many; i++) {
            assertThat(channel.tryReceive()).isEqualTo(i);
        }
        assertQuiet(channel);
    }

    @Test
    void aConflatedChannelKeepsTheNewestValue() throws Exception {
        Channel<Integer> channel = Channel.conflated();

        run(() -> {
            for (int i = 0; i <= 10; i++) {
                channel.send(i);
            }
        });

        assertThat(channel.tryReceive()).isEqualTo(10);
        assertThat(channel.tryReceive()).isNull();
    }

    @Test
    void aRingThatIsFilledAndDrainedInStepsKeepsTheOrder() {
        Channel<Integer> channel = Channel.unbounded();
        int sent = 0;
        int received = 0;
        for (int step = 1; step < 60; step++) {
            for (int i = 0; i < step; i++) {
                channel.trySend(sent++);
            }
            for (int i = 0; i < step - 1; i++) {
                assertThat(channel.tryReceive()).isEqualTo(received++);
            }
        }
        while (received < sent) {
            assertThat(channel.tryReceive()).isEqualTo(received++);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptStatusDoesNotDisturbWhoNeedNotWait(Kind kind) throws Exception {
        Channel<Integer> channel = kind.channel();
        Running<Integer> receiver = startWaiting(channel::receive);

        boolean stillSet = call(() -> {
            Thread.currentThread().interrupt();
            channel.send(1);
            return Thread.interrupted();
        });

        assertThat(stillSet).isTrue();
        assertThat(receiver.get()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("NullAway") // that is the point
    void nullIsNotAValue(Kind kind) {
        Channel<Object> channel = kind.channel();

        assertThatNullPointerException().isThrownBy(() -> channel.send(null));
        assertThatNullPointerException().isThrownBy(() -> channel.trySend(null));
        assertThat(channel.tryReceive()).isNull();
    }

    @Test
    void aBufferHoldsAtLeastOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Channel.buffered(0))
                .withMessageContaining("rendezvous");
        assertThatIllegalArgumentException().isThrownBy(() -> Channel.buffered(-1));
    }

    @Test
    void aChannelTellsItsKindAndWhatIsInside() {
        Channel<Integer> channel = Channel.buffered(2);
        channel.trySend(1);
        channel.close();

        assertThat(channel).hasToString("Channel[buffered(2), 1 value, closed]");
        assertThat(Channel.rendezvous()).hasToString("Channel[rendezvous, 0 values]");
    }

    static void assertQuiet(Channel<?> channel) {
        assertThat(channel.senders.isEmpty()).as("no sender is left").isTrue();
        assertThat(channel.receivers.isEmpty()).as("no receiver is left").isTrue();
        assertThat(channel.isClosed() || channel.tryReceive() == null)
                .as("no value is left")
                .isTrue();
    }
}
