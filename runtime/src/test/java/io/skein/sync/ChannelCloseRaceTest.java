package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Collision;
import io.skein.ThreadKind.Running;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** A close that comes as others send and receive: what was sent is received, and everybody hears of the end. */
@Crowd.Each
class ChannelCloseRaceTest extends CrowdTest {
    private static final Duration SHORT = Duration.ofMillis(150);
    private static final int SENDERS = 3;
    private static final int RECEIVERS = 2;

    ChannelCloseRaceTest(Crowd crowd) {
        super(crowd);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "CONFLATED")
    void whatWasSentBeforeTheCloseIsReceivedAndNothingElse(Kind kind) throws Exception {
        Collision.repeat(SHORT, round -> {
            Channel<Integer> channel = kind.channel();
            List<Running<Integer>> senders = new ArrayList<>();
            List<Running<Integer>> receivers = new ArrayList<>();
            for (int i = 0; i < SENDERS; i++) {
                senders.add(start(() -> sendUntilClosed(channel)));
            }
            for (int i = 0; i < RECEIVERS; i++) {
                receivers.add(start(() -> receiveUntilClosed(channel)));
            }
            if (round % 2 == 0) {
                receivers.getFirst().awaitWaiting();
            }
            Collision.takeSomeSteps();
            channel.close();

            assertThat(total(receivers)).isEqualTo(total(senders));
            ChannelTest.assertQuiet(channel);
        });
    }

    private static int sendUntilClosed(Channel<Integer> channel) throws InterruptedException {
        int sent = 0;
        try {
            while (sent < 20) {
                channel.send(1);
                sent++;
            }
        } catch (ChannelClosedException e) {
            // expected
        }
        return sent;
    }

    private static int receiveUntilClosed(Channel<Integer> channel) {
        int received = 0;
        for (int one : channel) {
            received += one;
        }
        return received;
    }

    private static int total(List<Running<Integer>> counts) throws Exception {
        int total = 0;
        for (Running<Integer> count : counts) {
            total += count.get();
        }
        return total;
    }
}
