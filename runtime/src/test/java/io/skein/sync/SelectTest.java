package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.skein.ThreadKind;
import io.skein.ThreadKind.Running;
import io.skein.time.Deadline;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** One of several clauses takes effect, and the others leave no trace. */
@Crowd.Each
class SelectTest extends CrowdTest {
    private final Channel<String> left = Channel.buffered(1);
    private final Channel<String> right = Channel.buffered(1);

    private final Select<String> either =
            Select.of(Select.receive(left, value -> "left " + value), Select.receive(right, value -> "right " + value));

    SelectTest(Crowd crowd) {
        super(crowd);
    }

    @Test
    void aValueThatIsThereIsReceived() throws Exception {
        right.trySend("1");

        assertThat(call(either::await)).isEqualTo("right 1");
        assertQuiet();
    }

    @ParameterizedTest
    @EnumSource
    void theFirstValueToComeIsReceived(Kind kind) throws Exception {
        Channel<String> first = kind.channel();
        Channel<String> second = kind.channel();
        Running<String> waiting = startWaiting(() -> Select.of(
                        Select.receive(first, v -> "first " + v), Select.receive(second, v -> "second " + v))
                .await());

        assertThat(second.trySend("1")).isTrue();

        assertThat(waiting.get()).isEqualTo("second 1");
        ChannelTest.assertQuiet(first);
        ChannelTest.assertQuiet(second);
    }

    @Test
    void whoWaitsForTheLockOfOneChannelDoesNotHoldThatOfAnother() throws Exception {
        right.lock();
        Running<String> selecting = start(either::await);
        try {
            Running<Integer> using = ThreadKind.PLATFORM.start(skein, () -> {
                int times = 0;
                for (Deadline enough = Deadline.after(Duration.ofMillis(50)); !enough.isOver(); times++) {
                    assertThat(left.isClosed()).isFalse();
                }
                return times;
            });
            assertThat(using.get()).isPositive();
        } finally {
            right.unlock();
        }
        right.trySend("1");
        assertThat(selecting.get()).isEqualTo("right 1");
    }

    @Test
    void aTimeThatPassedAgesAgoHasPassed() throws Exception {
        assertThat(call(() -> Select.of(Select.after(Duration.ofSeconds(Long.MIN_VALUE), () -> "late"))
                        .await()))
                .isEqualTo("late");
    }

    @Test
    void aValueThatIsNotChosenStays() throws Exception {
        left.trySend("1");
        right.trySend("2");

        String chosen = call(either::await);

        if (chosen.equals("left 1")) {
            assertThat(left.tryReceive()).isNull();
            assertThat(right.tryReceive()).isEqualTo("2");
        } else {
            assertThat(chosen).isEqualTo("right 2");
            assertThat(left.tryReceive()).isEqualTo("1");
            assertThat(right.tryReceive()).isNull();
        }
    }

    @Test
    void aValueIsSentWhereThereIsRoom() throws Exception {
        left.trySend("full");

        String chosen =
                call(() -> Select.of(Select.send(left, "1", () -> "left"), Select.send(right, "1", () -> "right"))
                        .await());

        assertThat(chosen).isEqualTo("right");
        assertThat(left.tryReceive()).isEqualTo("full");
        assertThat(left.tryReceive()).isNull();
        assertThat(right.tryReceive()).isEqualTo("1");
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"UNBOUNDED", "CONFLATED"})
    void aSendWaitsForRoom(Kind kind) throws Exception {
        Channel<Integer> first = kind.full();
        Channel<Integer> second = kind.full();
        Running<String> waiting = startWaiting(
                () -> Select.of(Select.send(first, 1, () -> "first"), Select.send(second, 2, () -> "second"))
                        .await());

        kind.drain(second);
        assertThat(call(second::receive)).isEqualTo(2);

        assertThat(waiting.get()).isEqualTo("second");
        kind.drain(first);
        ChannelTest.assertQuiet(first);
        ChannelTest.assertQuiet(second);
    }

    @Test
    void theOtherwiseClauseIsTakenWhenNothingIsThere() throws Exception {
        Select<String> select = Select.of(
                Select.receive(left, value -> value),
                Select.send(right, "2", () -> "sent"),
                Select.otherwise(() -> "none"));
        right.trySend("1");

        assertThat(call(select::await)).isEqualTo("none");
        left.trySend("there");
        assertThat(call(select::await)).isEqualTo("there");
        assertThat(right.tryReceive()).isEqualTo("1");
        assertThat(call(select::await)).isEqualTo("sent");
    }

    @Test
    void theTimeClauseIsTakenWhenNothingComes() throws Exception {
        Select<String> select =
                Select.of(Select.receive(left, value -> value), Select.after(Duration.ofMillis(5), () -> "late"));
        long before = System.nanoTime();

        assertThat(call(select::await)).isEqualTo("late");

        assertThat(System.nanoTime() - before)
                .isGreaterThanOrEqualTo(Duration.ofMillis(5).toNanos());
        assertQuiet();
    }

    @Test
    void theTimeClauseIsNotTakenWhenSomethingComes() throws Exception {
        Running<String> waiting = startWaiting(() -> Select.of(
                        Select.receive(left, value -> value), Select.after(Duration.ofSeconds(20), () -> "late"))
                .await());

        left.trySend("in time");

        assertThat(waiting.get()).isEqualTo("in time");
    }

    @Test
    void ofSeveralTimesTheShortestCounts() throws Exception {
        assertThat(call(() -> Select.of(
                                Select.after(Duration.ofSeconds(20), () -> "long"),
                                Select.after(Duration.ofMillis(1), () -> "short"))
                        .await()))
                .isEqualTo("short");
    }

    @Test
    void aSelectIsReusable() throws Exception {
        for (int i = 0; i < 3; i++) {
            Running<String> waiting = startWaiting(either::await);
            left.trySend("" + i);
            assertThat(waiting.get()).isEqualTo("left " + i);
        }
        assertQuiet();
    }

    @Test
    void severalMayAwaitTheSameSelect() throws Exception {
        Running<String> first = startWaiting(either::await);
        Running<String> second = startWaiting(either::await);

        left.trySend("1");
        right.trySend("2");

        assertThat(first.get()).isEqualTo("left 1");
        assertThat(second.get()).isEqualTo("right 2");
        assertQuiet();
    }

    @Test
    void theSameChannelMayBeInSeveralClauses() throws Exception {
        Channel<String> channel = Channel.rendezvous();
        Select<String> select = Select.of(
                Select.receive(channel, value -> "received " + value),
                Select.send(channel, "mine", () -> "sent"),
                Select.receive(channel, value -> "received too " + value));

        Running<String> waiting = startWaiting(select::await);
        assertThat(channel.tryReceive()).isEqualTo("mine");
        assertThat(waiting.get()).isEqualTo("sent");

        waiting = startWaiting(select::await);
        assertThat(channel.trySend("yours")).isTrue();
        assertThat(waiting.get()).isEqualTo("received yours");
        ChannelTest.assertQuiet(channel);
    }

    @Test
    void aSelectDoesNotMeetItself() throws Exception {
        Channel<String> channel = Channel.rendezvous();

        assertThat(call(() -> Select.of(
                                Select.receive(channel, value -> value),
                                Select.send(channel, "mine", () -> "sent"),
                                Select.otherwise(() -> "alone"))
                        .await()))
                .isEqualTo("alone");
        ChannelTest.assertQuiet(channel);
    }

    @Test
    void aHandlerMaySelectAgain() throws Exception {
        left.trySend("1");
        right.trySend("2");

        assertThat(call(() -> Select.inOrder(Select.receive(
                                left,
                                value -> value
                                        + Select.of(Select.receive(right, other -> other))
                                                .await()))
                        .await()))
                .isEqualTo("12");
    }

    @Test
    void whatAHandlerThrowsComesOut() {
        left.trySend("1");

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> call(() -> Select.<String>of(Select.receive(left, _ -> {
                            throw new IllegalStateException("handler");
                        }))
                        .await()))
                .withCauseInstanceOf(IllegalStateException.class);
        assertQuiet();
    }

    @Test
    void anInterruptEndsTheWait() {
        Running<String> waiting = startWaiting(either::await);

        waiting.thread().interrupt();

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(waiting::get)
                .withCauseInstanceOf(InterruptedException.class);
        assertQuiet();
    }

    @Test
    void anInterruptEndsAWaitWithATime() {
        Running<String> waiting = startWaiting(() -> Select.of(
                        Select.receive(left, value -> value), Select.after(Duration.ofSeconds(20), () -> "late"))
                .await());

        waiting.thread().interrupt();

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(waiting::get)
                .withCauseInstanceOf(InterruptedException.class);
        assertQuiet();
    }

    @Test
    void aPlaceThatIsCancelledInTheMiddleIsPassedOver() throws Exception {
        Running<String> first = startWaiting(either::await);
        Running<String> second = startWaiting(either::await);
        Running<String> third = startWaiting(either::await);

        second.thread().interrupt();
        assertThatExceptionOfType(ExecutionException.class).isThrownBy(second::get);
        left.trySend("1");
        left.trySend("2");

        assertThat(first.get()).isEqualTo("left 1");
        assertThat(third.get()).isEqualTo("left 2");
        assertQuiet();
    }

    @Test
    void nothingToWaitForIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(Select::of).withMessageContaining("for ever");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Select.of(Select.otherwise(() -> 1), Select.otherwise(() -> 2)));
    }

    private void assertQuiet() {
        ChannelTest.assertQuiet(left);
        ChannelTest.assertQuiet(right);
    }
}
