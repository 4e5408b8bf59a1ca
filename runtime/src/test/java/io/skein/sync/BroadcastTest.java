package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.skein.ThreadKind.Running;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every subscriber receives every value that was sent after it subscribed, or is told how many it missed. */
@Crowd.Each
class BroadcastTest extends CrowdTest {
    private final Broadcast<Integer> waiting = Broadcast.waiting(2);
    private final Broadcast<Integer> dropping = Broadcast.dropping(2);

    BroadcastTest(Crowd crowd) {
        super(crowd);
    }

    @Test
    void everySubscriberReceivesEveryValueInOrder() throws Exception {
        int count = 500;
        List<Running<List<Integer>>> loops = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Subscription<Integer> subscription = waiting.subscribe();
            loops.add(start(() -> {
                List<Integer> seen = new ArrayList<>();
                subscription.forEach(seen::add);
                return seen;
            }));
        }

        run(() -> {
            for (int i = 0; i < count; i++) {
                waiting.send(i);
            }
            waiting.close();
        });

        List<Integer> all = IntStream.range(0, count).boxed().toList();
        for (Running<List<Integer>> loop : loops) {
            assertThat(loop.get()).isEqualTo(all);
        }
    }

    @Test
    void aSubscriberReceivesOnlyWhatIsSentAfterwards() {
        Subscription<Integer> early = waiting.subscribe();
        waiting.trySend(1);
        Subscription<Integer> late = waiting.subscribe();
        waiting.trySend(2);

        assertThat(early.tryReceive()).isEqualTo(1);
        assertThat(early.tryReceive()).isEqualTo(2);
        assertThat(early.tryReceive()).isNull();
        assertThat(late.tryReceive()).isEqualTo(2);
        assertThat(late.tryReceive()).isNull();
    }

    @Test
    void whatIsSentWithoutSubscribersIsReceivedByNobody() {
        for (int i = 0; i < 10; i++) {
            assertThat(waiting.trySend(i)).isTrue();
        }

        assertThat(waiting.subscribe().tryReceive()).isNull();
    }

    @Test
    void aSenderWaitsForTheSlowestSubscriber() throws Exception {
        Subscription<Integer> fast = waiting.subscribe();
        Subscription<Integer> slow = waiting.subscribe();
        waiting.trySend(1);
        waiting.trySend(2);
        fast.tryReceive();
        assertThat(waiting.trySend(3)).isFalse();
        Running<@Nullable Void> sender = startSendingTo(waiting, 3);

        assertThat(slow.tryReceive()).isEqualTo(1);

        sender.get();
        assertThat(IntStream.range(0, 2).mapToObj(_ -> fast.tryReceive())).containsExactly(2, 3);
        assertThat(IntStream.range(0, 2).mapToObj(_ -> slow.tryReceive())).containsExactly(2, 3);
        assertThat(slow.missed()).isZero();
    }

    @Test
    void aSubscriberThatLeavesHoldsNobodyUp() throws Exception {
        Subscription<Integer> slow = waiting.subscribe();
        waiting.trySend(1);
        waiting.trySend(2);
        Running<@Nullable Void> sender = startSendingTo(waiting, 3);

        slow.close();
        slow.close();

        sender.get();
        assertThatExceptionOfType(ChannelClosedException.class).isThrownBy(slow::receive);
    }

    @Test
    void aSlowSubscriberIsToldHowManyItMissed() {
        Subscription<Integer> fast = dropping.subscribe();
        Subscription<Integer> slow = dropping.subscribe();
        for (int i = 0; i < 5; i++) {
            assertThat(dropping.trySend(i)).isTrue();
            assertThat(fast.tryReceive()).isEqualTo(i);
        }

        assertThat(slow.missed()).isEqualTo(3);
        assertThat(slow.tryReceive()).isEqualTo(3);
        assertThat(slow.tryReceive()).isEqualTo(4);
        assertThat(slow.tryReceive()).isNull();
        assertThat(slow.missed()).isEqualTo(3);
        assertThat(fast.missed()).isZero();
    }

    @Test
    void aCloseLetsSubscribersReceiveWhatIsLeft() throws Exception {
        Subscription<Integer> subscription = waiting.subscribe();
        waiting.trySend(1);
        waiting.close();

        assertThat(waiting.isClosed()).isTrue();
        assertThat(call(subscription::receive)).isEqualTo(1);
        assertThatExceptionOfType(ChannelClosedException.class).isThrownBy(subscription::receive);
        assertThatExceptionOfType(ChannelClosedException.class).isThrownBy(() -> waiting.send(2));
    }

    @Test
    void aCloseEndsEveryWait() {
        Subscription<Integer> empty = waiting.subscribe();
        Running<Integer> receiver = startWaiting(empty::receive);
        Broadcast<Integer> full = Broadcast.waiting(1);
        Subscription<Integer> slow = full.subscribe();
        full.trySend(1);
        Running<?> sender = startSendingTo(full, 2);

        waiting.closeWith(new IllegalStateException("torn"));
        full.close();

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(receiver::get)
                .withStackTraceContaining("torn");
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(sender::get)
                .withCauseInstanceOf(ChannelClosedException.class);
        assertThat(slow.tryReceive()).isEqualTo(1);
    }

    @Test
    void interruptedWaitsLeaveNoTrace() throws Exception {
        Subscription<Integer> subscription = waiting.subscribe();
        interruptAndAwait(startWaiting(subscription::receive));
        waiting.trySend(1);
        waiting.trySend(2);
        interruptAndAwait(startSendingTo(waiting, 3));

        assertThat(subscription.tryReceive()).isEqualTo(1);
        assertThat(subscription.tryReceive()).isEqualTo(2);
        assertThat(call(() -> subscription.tryReceive(Duration.ofMillis(2)))).isNull();
        assertThat(call(() -> subscription.tryReceive(Duration.ofSeconds(Long.MIN_VALUE))))
                .isNull();
        assertThat(waiting.receivers.isEmpty()).isTrue();
    }

    @Test
    void aTimedSendGivesUp() throws Exception {
        Subscription<Integer> subscription = waiting.subscribe();
        waiting.trySend(1);
        waiting.trySend(2);

        assertThat(call(() -> waiting.trySend(3, Duration.ofMillis(2)))).isFalse();
        assertThat(call(() -> waiting.trySend(3, Duration.ofSeconds(Long.MIN_VALUE))))
                .isFalse();
        assertThat(subscription.tryReceive()).isEqualTo(1);
        assertThat(call(() -> waiting.trySend(3, Duration.ofSeconds(20)))).isTrue();
    }

    @Test
    void atLeastOneValueIsHeld() {
        assertThatIllegalArgumentException().isThrownBy(() -> Broadcast.waiting(0));
        assertThatIllegalArgumentException().isThrownBy(() -> Broadcast.dropping(-1));
    }

    private Running<@Nullable Void> startSendingTo(Broadcast<Integer> broadcast, int value) {
        return startWaiting(() -> {
            broadcast.send(value);
            return null;
        });
    }

    private static void interruptAndAwait(Running<?> running) {
        running.thread().interrupt();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(running::get)
                .withCauseInstanceOf(InterruptedException.class);
    }
}
