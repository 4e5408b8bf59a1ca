package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.ThreadKind.Running;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Somebody who has given up may still be in line for a moment. Whoever would serve it notices, and serves the next instead. */
@Crowd.Each
class DeadPlacesTest extends CrowdTest {
    DeadPlacesTest(Crowd crowd) {
        super(crowd);
    }

    /** Gets in line and gives up, without leaving the line. */
    private static <T> void dieInLine(Channel<T> channel, Line line, @Nullable T value) {
        channel.lock();
        Place place = channel.unlockAndEnlist(line, value);
        assertThat(channel.awaitServed(line, place, 0)).isFalse();
    }

    /** As a clause of a select does that another clause has ended. */
    private static <T> void dieSelecting(Channel<T> channel, Line line, @Nullable T value) {
        SelectWait wait = new SelectWait();
        assertThat(wait.resumeBy("another clause")).isTrue();
        channel.lock();
        line.add(new Place(wait, value));
        channel.unlock();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "CONFLATED")
    void aSenderPassesByReceiversWhoHaveGivenUp(Kind kind) throws Exception {
        Channel<Integer> channel = kind.channel();
        dieInLine(channel, channel.receivers, null);
        dieSelecting(channel, channel.receivers, null);
        Running<Integer> receiver = startWaiting(channel::receive);
        dieInLine(channel, channel.receivers, null);

        assertThat(channel.trySend(1)).isTrue();

        assertThat(receiver.get()).isEqualTo(1);
    }

    @Test
    void nothingIsSentToReceiversWhoHaveAllGivenUp() {
        Channel<Integer> channel = Channel.rendezvous();
        dieInLine(channel, channel.receivers, null);
        dieSelecting(channel, channel.receivers, null);

        assertThat(channel.trySend(1)).isFalse();

        ChannelTest.assertQuiet(channel);
    }

    @ParameterizedTest
    @EnumSource(names = {"BUFFERED_1", "BUFFERED_3", "UNBOUNDED", "CONFLATED"})
    void whatReceiversWhoHaveGivenUpDoNotTakeIsKept(Kind kind) {
        Channel<Integer> channel = kind.channel();
        dieInLine(channel, channel.receivers, null);
        dieSelecting(channel, channel.receivers, null);

        assertThat(channel.trySend(1)).isTrue();

        assertThat(channel.tryReceive()).isEqualTo(1);
        assertThat(channel.tryReceive()).isNull();
    }

    @ParameterizedTest
    @EnumSource(names = {"RENDEZVOUS", "BUFFERED_1", "BUFFERED_3"})
    void aReceiverPassesBySendersWhoHaveGivenUp(Kind kind) throws Exception {
        Channel<Integer> channel = kind.full();
        dieInLine(channel, channel.senders, 10);
        dieSelecting(channel, channel.senders, 11);
        Running<@Nullable Void> sender = startSending(channel, 1);
        dieInLine(channel, channel.senders, 12);
        kind.drain(channel);

        assertThat(channel.tryReceive()).isEqualTo(1);
        sender.get();
        assertThat(channel.tryReceive()).isNull();
        ChannelTest.assertQuiet(channel);
    }

    @Test
    void aSelectPassesByThoseWhoHaveGivenUp() throws Exception {
        Channel<Integer> channel = Channel.rendezvous();
        dieInLine(channel, channel.receivers, null);

        assertThat(call(
                        Select.of(Select.send(channel, 1, () -> "sent"), Select.otherwise(() -> "nobody is there"))
                                ::await))
                .isEqualTo("nobody is there");

        dieInLine(channel, channel.senders, 1);
        assertThat(call(
                        Select.of(Select.receive(channel, v -> "got " + v), Select.otherwise(() -> "nothing is there"))
                                ::await))
                .isEqualTo("nothing is there");
        ChannelTest.assertQuiet(channel);
    }
}
