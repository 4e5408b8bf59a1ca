package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.ThreadKind.Running;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** A clause of a closed channel is there at once, and throws unless it provides for that. */
@Crowd.Each
class SelectCloseTest extends CrowdTest {
    private final Channel<String> open = Channel.rendezvous();
    private final Channel<String> closed = Channel.buffered(1);

    SelectCloseTest(Crowd crowd) {
        super(crowd);
    }

    @Test
    void aReceiveFromAClosedChannelThrows() {
        closed.close();

        assertRefused(start(() -> Select.of(Select.receive(open, v -> v), Select.receive(closed, v -> v))
                .await()));
    }

    @Test
    void aSendToAClosedChannelThrows() {
        closed.close();

        assertRefused(start(() -> Select.of(Select.receive(open, v -> v), Select.send(closed, "1", () -> "sent"))
                .await()));
    }

    @Test
    void aReceiveMayProvideForTheClose() throws Exception {
        Select<String> select =
                Select.of(Select.receive(open, v -> v), Select.receive(closed, v -> "value " + v, () -> "closed"));
        closed.trySend("1");
        closed.close();

        assertThat(call(select::await)).isEqualTo("value 1");
        assertThat(call(select::await)).isEqualTo("closed");
        ChannelTest.assertQuiet(open);
    }

    @Test
    void aReasonIsThrownAllTheSame() {
        closed.closeWith(new IllegalStateException("torn"));

        assertRefused(start(
                () -> Select.of(Select.receive(closed, v -> v, () -> "closed")).await()));
    }

    @Test
    void aSelectThatWaitsIsToldOfTheClose() throws Exception {
        Running<String> provided = startWaiting(
                () -> Select.of(Select.receive(open, v -> v), Select.receive(closed, v -> v, () -> "closed"))
                        .await());
        Running<String> unprovided =
                startWaiting(() -> Select.of(Select.receive(open, v -> v), Select.receive(closed, v -> v))
                        .await());

        closed.close();

        assertThat(provided.get()).isEqualTo("closed");
        assertRefused(unprovided);
        ChannelTest.assertQuiet(open);
        ChannelTest.assertQuiet(closed);
    }

    @Test
    void aSelectThatWaitsToSendIsToldOfTheClose() {
        closed.trySend("full");
        Running<String> waiting =
                startWaiting(() -> Select.of(Select.receive(open, v -> v), Select.send(closed, "1", () -> "sent"))
                        .await());

        closed.close();

        assertRefused(waiting);
        assertThat(closed.tryReceive()).isEqualTo("full");
        ChannelTest.assertQuiet(open);
        ChannelTest.assertQuiet(closed);
    }

    private static void assertRefused(Running<?> waiting) {
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(waiting::get)
                .withCauseInstanceOf(ChannelClosedException.class);
    }
}
