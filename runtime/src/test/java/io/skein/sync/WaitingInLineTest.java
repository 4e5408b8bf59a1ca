package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skein.Await;
import io.skein.Collision;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.ThreadKind;
import io.skein.ThreadKind.Running;
import io.skein.sync.Waitable.Closed;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is true of every wait: on coroutines, platform threads and virtual threads alike. */
@Mode.Each
class WaitingInLineTest extends ModeTest {
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofMinutes(5);

    WaitingInLineTest(Mode mode) {
        super(mode);
    }

    /** What became of somebody who waited: passed, timed out or interrupted; and whether the interrupt status is set. */
    private Running<String> start(ThreadKind kind, Waitable.Step wait) {
        return kind.start(skein, () -> {
            String end = "passed";
            try {
                wait.take();
            } catch (InterruptedException e) {
                end = "interrupted";
            }
            return Thread.interrupted() ? end + " with status" : end;
        });
    }

    private Running<String> startWaiting(ThreadKind kind, Waitable.Step wait) {
        Running<String> running = start(kind, wait);
        running.awaitWaiting();
        return running;
    }

    private static Waitable.Step timed(Closed closed, Duration timeout) {
        return () -> assertThat(closed.timedPass().await(timeout)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void everybodyInLineGoesOnWhenItOpens(Waitable waitable) throws Exception {
        Closed closed = waitable.close();
        List<Running<String>> waiting = new ArrayList<>();
        for (ThreadKind kind : ThreadKind.values()) {
            waiting.add(startWaiting(kind, closed.pass()));
            waiting.add(startWaiting(kind, timed(closed, LONG)));
        }

        closed.open().take();

        for (Running<String> each : waiting) {
            assertThat(each.get()).isEqualTo("passed");
        }
        assertThat(closed.isDeserted()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void whoIsInterruptedAtTheFrontInTheMiddleOrAtTheEndLeavesTheOthersInLine(Waitable waitable) throws Exception {
        for (ThreadKind kind : ThreadKind.values()) {
            for (int position = 0; position < 3; position++) {
                Closed closed = waitable.close();
                List<Running<String>> waiting = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    waiting.add(startWaiting(kind, i == 1 ? timed(closed, LONG) : closed.pass()));
                }

                Running<String> interrupted = waiting.remove(position);
                interrupted.thread().interrupt();
                assertThat(interrupted.get()).isEqualTo("interrupted");
                waiting.forEach(Running::awaitWaiting);
                assertThat(waiting).noneMatch(each -> each.outcome().isDone());

                closed.open().take();
                for (Running<String> each : waiting) {
                    assertThat(each.get()).isEqualTo("passed");
                }
                assertThat(closed.isDeserted()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoRunsOutOfTimeAtTheFrontInTheMiddleOrAtTheEndLeavesTheOthersInLine(Waitable waitable) throws Exception {
        for (ThreadKind kind : ThreadKind.values()) {
            for (int position = 0; position < 3; position++) {
                Closed closed = waitable.close();
                List<Running<String>> waiting = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    if (i == position) {
                        Running<String> late = start(kind, () -> {
                            assertThat(closed.timedPass().await(SHORT)).isFalse();
                        });
                        Await.until("waits or is late", () -> late.outcome().isDone() || isWaiting(late));
                        waiting.add(late);
                    } else {
                        waiting.add(startWaiting(kind, closed.pass()));
                    }
                }
                assertThat(waiting.remove(position).get()).isEqualTo("passed");
                assertThat(waiting).noneMatch(each -> each.outcome().isDone());

                closed.open().take();
                for (Running<String> each : waiting) {
                    assertThat(each.get()).isEqualTo("passed");
                }
                assertThat(closed.isDeserted()).isTrue();
            }
        }
    }

    private static boolean isWaiting(Running<?> running) {
        return running.thread().getState() == Thread.State.TIMED_WAITING
                || running.thread().getState() == Thread.State.WAITING;
    }

    @ParameterizedTest
    @EnumSource
    void whoIsInterruptedBeforeTheWaitDoesNotGetInLine(Waitable waitable) throws Exception {
        Closed closed = waitable.close();
        for (ThreadKind kind : ThreadKind.values()) {
            for (Waitable.Step wait : List.of(closed.pass(), timed(closed, LONG))) {
                Running<String> running = start(kind, () -> {
                    Thread.currentThread().interrupt();
                    wait.take();
                });

                assertThat(running.get()).isEqualTo("interrupted");
                assertThat(closed.isDeserted()).isTrue();
            }
        }
        closed.open().take();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CONDITION") // which one always waits for
    void whatCanBeHadAtOnceIsHadByTheInterruptedAndTheHurriedToo(Waitable waitable) throws Exception {
        Closed open = waitable.close();
        open.open().take();
        for (ThreadKind kind : ThreadKind.values()) {
            for (Waitable.Step wait : List.of(open.pass(), timed(open, Duration.ZERO))) {
                Running<String> running = start(kind, () -> {
                    Thread.currentThread().interrupt();
                    wait.take();
                });

                assertThat(running.get()).isEqualTo("passed with status");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void noTimeLeftIsNoWait(Waitable waitable) throws Exception {
        Closed closed = waitable.close();
        for (Duration timeout : List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
            for (ThreadKind kind : ThreadKind.values()) {
                assertThat(kind.call(skein, () -> closed.timedPass().await(timeout)))
                        .isFalse();
            }
        }
        assertThat(closed.isDeserted()).isTrue();
        closed.open().take();
    }

    @ParameterizedTest
    @EnumSource
    void theLongestTimeIsNotCutShort(Waitable waitable) throws Exception {
        Closed closed = waitable.close();
        Running<String> waiting =
                startWaiting(ThreadKind.COROUTINE, timed(closed, Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)));

        closed.open().take();

        assertThat(waiting.get()).isEqualTo("passed");
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("NullAway") // on purpose
    void noDurationIsRefused(Waitable waitable) throws Exception {
        Closed closed = waitable.close();
        assertThatThrownBy(() ->
                        ThreadKind.PLATFORM.call(skein, () -> closed.timedPass().await(null)))
                .hasCauseInstanceOf(NullPointerException.class);
        assertThat(closed.isDeserted()).isTrue();
        closed.open().take();
    }

    @ParameterizedTest
    @EnumSource
    void manyWhoWaitLeaveTheirWorkersToOthers(Waitable waitable) throws Exception {
        Closed closed = waitable.close();
        List<Running<String>> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiting.add(start(ThreadKind.COROUTINE, closed.pass()));
        }
        waiting.forEach(Running::awaitWaiting);

        assertThat(skein.blockOn(() -> "meanwhile")).isEqualTo("meanwhile");

        closed.open().take();
        for (Running<String> each : waiting) {
            assertThat(each.get()).isEqualTo("passed");
        }
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsKeptOfWhoGaveUp(Waitable waitable) throws Exception {
        Closed closed = waitable.close();
        WeakReference<Thread> gone = interruptedOne(closed);

        Await.until("the thread is collected", () -> {
            System.gc();
            return gone.get() == null;
        });

        closed.open().take();
    }

    private WeakReference<Thread> interruptedOne(Closed closed) throws Exception {
        Running<String> running = startWaiting(ThreadKind.COROUTINE, closed.pass());
        running.thread().interrupt();
        running.get();
        return new WeakReference<>(running.thread());
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptAgainstTheOpeningIsOneOrTheOtherAndOthersGoOn(Waitable waitable) throws Exception {
        Collision.repeat(Duration.ofMillis(50), round -> {
            Closed closed = waitable.close();
            ThreadKind kind = ThreadKind.inTurn(round);
            Collision collision = new Collision(2);
            Running<String> first = start(kind, closed.pass());
            Running<String> second = start(kind, timed(closed, LONG));
            first.awaitWaiting();
            second.awaitWaiting();
            Running<Void> interrupter = ThreadKind.PLATFORM.start(skein, () -> {
                collision.meet();
                first.thread().interrupt();
                return null;
            });
            collision.meet();
            closed.open().take();

            interrupter.get();
            assertThat(first.get()).isIn("passed", "passed with status", "interrupted");
            assertThat(second.get()).isEqualTo("passed");
            assertThat(closed.isDeserted()).isTrue();
        });
    }
}
