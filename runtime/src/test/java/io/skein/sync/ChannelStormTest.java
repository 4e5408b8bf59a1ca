package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.ThreadKind;
import io.skein.ThreadKind.Running;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Many who send and many who receive, all of them interrupted at random: every value whose send returned is received once, and
 * no other; but a conflated channel drops all that is not the newest. A value is a number of its own, so that sums and sets tell.
 */
@Crowd.Each
class ChannelStormTest extends CrowdTest {
    private final Crowd crowd;
    private final LongAdder sentSum = new LongAdder();
    private final LongAdder receivedSum = new LongAdder();
    private final ConcurrentHashMap.KeySetView<Long, Boolean> received = ConcurrentHashMap.newKeySet();
    private final LongAdder sentCount = new LongAdder();
    private final LongAdder twice = new LongAdder();
    private final LongAdder outOfOrder = new LongAdder();

    ChannelStormTest(Crowd crowd) {
        super(crowd);
        this.crowd = crowd;
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "CONFLATED")
    void everyValueIsReceivedOnce(Kind kind) throws Exception {
        storm(kind.channel(), 10, 500);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "CONFLATED")
    @Tag("long")
    @Timeout(300)
    void everyValueOfThousandsIsReceivedOnce(Kind kind) throws Exception {
        storm(kind.channel(), crowd.kind() == ThreadKind.PLATFORM ? 200 : 1000, 100);
    }

    @Test
    void aConflatedChannelGivesOutInOrderAndTheLastForCertain() throws Exception {
        conflatedStorm(10, 500);
    }

    @Test
    @Tag("long")
    @Timeout(300)
    void aConflatedChannelOfThousandsGivesOutInOrderAndTheLastForCertain() throws Exception {
        conflatedStorm(crowd.kind() == ThreadKind.PLATFORM ? 200 : 1000, 100);
    }

    /** The value that was sent last of all is one of those that their senders sent last. */
    private void conflatedStorm(int each, int values) throws Exception {
        rage(Channel.conflated(), each, values);

        assertThat(sentCount.sum()).as("nobody waits to send").isEqualTo((long) each * values);
        assertThat(LongStream.range(0, each).map(sender -> (sender + 1) * values - 1))
                .as("the last of each sender")
                .anyMatch(received::contains);
        assertThat(received).allMatch(value -> value >= 0 && value < (long) each * values);
    }

    private void storm(Channel<Long> channel, int each, int values) throws Exception {
        rage(channel, each, values);

        assertThat(received).hasSize(sentCount.intValue());
        assertThat(receivedSum.sum()).isEqualTo(sentSum.sum());
    }

    /** Sends and receives everything; what was received came once, and in the order of its sender. */
    private void rage(Channel<Long> channel, int each, int values) throws Exception {
        List<Running<?>> senders = new ArrayList<>();
        List<Running<?>> receivers = new ArrayList<>();
        for (int i = 0; i < each; i++) {
            long first = (long) i * values;
            senders.add(start(() -> sendAll(channel, first, values)));
            receivers.add(start(() -> receiveAll(channel, each, values)));
        }
        AtomicBoolean over = new AtomicBoolean();
        Thread shooter = Thread.ofPlatform().start(() -> shoot(senders, receivers, over));
        for (Running<?> sender : senders) {
            sender.get();
        }
        channel.close();
        for (Running<?> receiver : receivers) {
            receiver.get();
        }
        over.set(true);
        shooter.join();

        assertThat(twice.sum()).as("values that came twice").isZero();
        assertThat(outOfOrder.sum()).as("values that came out of order").isZero();
        ChannelTest.assertQuiet(channel);
    }

    /** A value whose send was interrupted is lost to everybody: the next is sent instead. */
    private boolean sendAll(Channel<Long> channel, long first, int values) {
        for (long value = first; value < first + values; value++) {
            try {
                if (value % 7 == 0) {
                    while (!channel.trySend(
                            value, Duration.ofNanos(ThreadLocalRandom.current().nextInt(100_000)))) {
                        Thread.onSpinWait();
                    }
                } else {
                    channel.send(value);
                }
                sentSum.add(value);
                sentCount.increment();
            } catch (InterruptedException e) {
                // not sent
            }
        }
        return true;
    }

    private boolean receiveAll(Channel<Long> channel, int senders, int values) {
        long[] newest = new long[senders];
        while (true) {
            try {
                Long value = channel.receive();
                receivedSum.add(value);
                if (!received.add(value)) {
                    twice.increment();
                }
                int sender = (int) (value / values);
                if (newest[sender] > value) {
                    outOfOrder.increment();
                }
                newest[sender] = value;
            } catch (InterruptedException e) {
                // received nothing
            } catch (ChannelClosedException e) {
                return true;
            }
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // the others need the processor
    private static void shoot(List<Running<?>> senders, List<Running<?>> receivers, AtomicBoolean over) {
        while (!over.get()) {
            int victim = ThreadLocalRandom.current().nextInt(senders.size());
            senders.get(victim).thread().interrupt();
            receivers.forEach(receiver -> receiver.thread().interrupt()); // they wait more often
            Thread.yield();
        }
    }
}
