package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.ThreadKind.Running;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Many selects against each other and against plain senders and receivers: of each, one clause takes effect. */
@Crowd.Each
class SelectRaceTest extends CrowdTest {
    private static final int ROUNDS = 2000;

    SelectRaceTest(Crowd crowd) {
        super(crowd);
    }

    /** One sends to left and receives from right, the other the reverse; both ways at once. */
    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"UNBOUNDED", "CONFLATED"})
    @SuppressWarnings("ThreadPriorityCheck") // the scheduler is ours
    void selectsMeetInBothDirections(Kind kind) throws Exception {
        Channel<Integer> left = kind.channel();
        Channel<Integer> right = kind.channel();
        LongAdder balance = new LongAdder();
        List<Running<?>> players = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Channel<Integer> mine = i % 2 == 0 ? left : right;
            Channel<Integer> other = i % 2 == 0 ? right : left;
            players.add(start(() -> {
                Select<Integer> select = Select.of(Select.send(mine, 1, () -> 1), Select.receive(other, _ -> -1));
                for (int round = 0; round < ROUNDS; round++) {
                    balance.add(select.await());
                }
                return null;
            }));
        }
        // An even number of players, each with the same number of rounds, may leave one without a partner: play with
        // it.
        AtomicBoolean over = new AtomicBoolean();
        Running<?> partner = start(() -> {
            while (!over.get()) {
                Thread.yield(); // with a buffer, it need not wait for anybody
                balance.add(Select.of(
                                Select.receive(left, _ -> -1),
                                Select.receive(right, _ -> -1),
                                Select.after(Duration.ofMillis(2), () -> 0))
                        .await());
                balance.add(Select.of(
                                Select.send(left, 1, () -> 1),
                                Select.send(right, 1, () -> 1),
                                Select.after(Duration.ofMillis(2), () -> 0))
                        .await());
            }
            return null;
        });
        for (Running<?> player : players) {
            player.get();
        }
        over.set(true);
        partner.get();

        int inside = 0;
        while (left.tryReceive() != null || right.tryReceive() != null) {
            inside++;
        }
        assertThat(balance.sum()).as("sent, less received").isEqualTo(inside);
        ChannelTest.assertQuiet(left);
        ChannelTest.assertQuiet(right);
    }

    /** Each is interrupted at random; what the senders sent is what the receivers received. */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "CONFLATED")
    @SuppressWarnings("ThreadPriorityCheck") // the others need the processor
    void exactlyOneClauseTakesEffect(Kind kind) throws Exception {
        List<Channel<Integer>> channels = List.of(kind.channel(), kind.channel(), kind.channel());
        LongAdder sent = new LongAdder();
        LongAdder received = new LongAdder();
        List<Running<?>> senders = new ArrayList<>();
        List<Running<?>> receivers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int first = i;
            senders.add(start(() -> {
                for (int value = 0; value < ROUNDS; value++) {
                    try {
                        sent.add(sendSomewhere(channels, first, value));
                    } catch (InterruptedException e) {
                        // nothing was sent
                    }
                }
                return null;
            }));
            receivers.add(start(() -> {
                Select<Integer> select = Select.of(
                        Select.receive(channels.get(first % 3), v -> v),
                        Select.receive(channels.get((first + 1) % 3), v -> v),
                        Select.receive(channels.get((first + 2) % 3), v -> v));
                while (true) {
                    try {
                        received.add(select.await());
                    } catch (InterruptedException e) {
                        // nothing was received
                    } catch (ChannelClosedException e) {
                        return null;
                    }
                }
            }));
        }
        AtomicBoolean over = new AtomicBoolean();
        Thread shooter = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                List<Running<?>> side = ThreadLocalRandom.current().nextBoolean() ? senders : receivers;
                side.get(ThreadLocalRandom.current().nextInt(4)).thread().interrupt();
                Thread.yield();
            }
        });
        for (Running<?> sender : senders) {
            sender.get();
        }
        for (Channel<Integer> channel : channels) {
            channel.close();
        }
        for (Running<?> receiver : receivers) {
            receiver.get();
        }
        over.set(true);
        shooter.join();

        for (Channel<Integer> channel : channels) {
            for (Integer left = leftIn(channel); left != null; left = leftIn(channel)) {
                received.add(left); // a receiver may have met another closed channel first
            }
            ChannelTest.assertQuiet(channel);
        }
        assertThat(received.sum()).isEqualTo(sent.sum());
    }

    private static @Nullable Integer leftIn(Channel<Integer> channel) {
        try {
            return channel.tryReceive();
        } catch (ChannelClosedException e) {
            return null;
        }
    }

    private static int sendSomewhere(List<Channel<Integer>> channels, int first, int value)
            throws InterruptedException {
        if (value % 3 == 0) {
            channels.get(first % 3).send(value);
            return value;
        }
        return Select.of(
                        Select.send(channels.get(first % 3), value, () -> value),
                        Select.send(channels.get((first + 1) % 3), value, () -> value))
                .await();
    }

    @Test
    void aFairSelectTakesEachClauseThatIsThereEquallyOften() throws Exception {
        int[] taken = countChoices(Select.<Integer>of(
                Select.receive(endless(), _ -> 0),
                Select.receive(Channel.<String>rendezvous(), _ -> 3),
                Select.receive(endless(), _ -> 1),
                Select.receive(endless(), _ -> 2)));

        for (int i = 0; i < 3; i++) {
            assertThat(taken[i]).isBetween(800, 1200);
        }
    }

    @Test
    void aSelectInOrderTakesTheFirstClauseThatIsThere() throws Exception {
        int[] taken = countChoices(Select.<Integer>inOrder(
                Select.receive(Channel.<String>rendezvous(), _ -> 3),
                Select.receive(endless(), _ -> 0),
                Select.receive(endless(), _ -> 1)));

        assertThat(taken[0]).isEqualTo(3000);
    }

    private int[] countChoices(Select<Integer> select) throws Exception {
        return call(() -> {
            int[] taken = new int[4];
            for (int i = 0; i < 3000; i++) {
                taken[select.await()]++;
            }
            return taken;
        });
    }

    /** A channel that always has a value. */
    private static Channel<String> endless() {
        Channel<String> channel = Channel.unbounded();
        for (int i = 0; i < 3000; i++) {
            channel.trySend("value");
        }
        return channel;
    }
}
