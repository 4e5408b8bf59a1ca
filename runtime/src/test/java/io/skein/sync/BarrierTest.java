package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.ThreadKind;
import io.skein.ThreadKind.Running;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A barrier: all go on, or all are told that it is broken. */
@Mode.Each
class BarrierTest extends ModeTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    BarrierTest(Mode mode) {
        super(mode);
    }

    /** A party that tells what became of it. */
    private Running<String> arriving(ThreadKind kind, Barrier barrier) {
        Running<String> running = kind.start(skein, () -> {
            try {
                return "missing " + barrier.await(LONG);
            } catch (InterruptedException e) {
                return "interrupted";
            } catch (BrokenBarrierException e) {
                return "broken";
            }
        });
        running.awaitWaiting();
        return running;
    }

    private List<Running<String>> arriving(ThreadKind kind, Barrier barrier, int count) {
        List<Running<String>> parties = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            parties.add(arriving(kind, barrier));
        }
        return parties;
    }

    private static void assertAll(List<Running<String>> parties, String end) throws Exception {
        for (Running<String> each : parties) {
            assertThat(each.get()).isEqualTo(end);
        }
    }

    @ParameterizedTest
    @EnumSource
    void allGoOnWhenTheLastArrives(ThreadKind kind) throws Exception {
        Barrier barrier = new Barrier(3);
        for (int generation = 0; generation < 3; generation++) {
            Running<String> first = arriving(kind, barrier);
            Running<String> second = arriving(kind, barrier);
            assertThat(barrier.waiting()).isEqualTo(2);
            assertThat(barrier).hasToString("Barrier[2 of 3 arrived]");

            assertThat(barrier.await()).isZero();

            assertThat(first.get()).isEqualTo("missing 2");
            assertThat(second.get()).isEqualTo("missing 1");
            assertThat(barrier.waiting()).isZero();
        }
    }

    @Test
    void aBarrierForOneHoldsNobodyUp() throws Exception {
        Barrier barrier = new Barrier(1);
        assertThat(barrier.await()).isZero();
        assertThat(barrier.await(Duration.ZERO)).isZero();
        assertThat(barrier.parties()).isEqualTo(1);
    }

    @Test
    void nobodyIsAheadByMoreThanOneGeneration() throws Exception {
        int generations = 100;
        int parties = 6;
        int[] steps = new int[parties];
        Queue<Integer> sums = new ConcurrentLinkedQueue<>();
        Barrier barrier = new Barrier(parties, () -> {
            int sum = 0;
            for (int each : steps) {
                sum += each;
            }
            sums.add(sum);
        });
        List<Running<Void>> all = new ArrayList<>();
        for (int i = 0; i < parties; i++) {
            int party = i;
            all.add(ThreadKind.inTurn(i).start(skein, () -> {
                for (int step = 0; step < generations; step++) {
                    steps[party]++;
                    barrier.await();
                }
                return null;
            }));
        }
        for (Running<Void> each : all) {
            each.get();
        }

        assertThat(sums).hasSize(generations);
        int generation = 0;
        for (int sum : sums) {
            generation++;
            assertThat(sum).isEqualTo(generation * parties);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPartyThatIsInterruptedAtTheFrontInTheMiddleOrAtTheEndBreaksIt(ThreadKind kind) throws Exception {
        for (int position = 0; position < 3; position++) {
            Barrier barrier = new Barrier(4);
            List<Running<String>> parties = arriving(kind, barrier, 3);
            Running<String> interrupted = parties.remove(position);

            interrupted.thread().interrupt();

            assertThat(interrupted.get()).isEqualTo("interrupted");
            assertAll(parties, "broken");
            assertThat(barrier.isBroken()).isTrue();
            assertThat(barrier.waiting()).isZero();
            assertThatThrownBy(barrier::await).isInstanceOf(BrokenBarrierException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPartyThatRunsOutOfTimeBreaksIt(ThreadKind kind) throws Exception {
        Barrier barrier = new Barrier(3);
        Running<String> other = arriving(kind, barrier);

        assertThatThrownBy(() -> barrier.await(Duration.ofMillis(1))).isInstanceOf(TimeoutException.class);

        assertThat(other.get()).isEqualTo("broken");
        assertThat(barrier.isBroken()).isTrue();
    }

    @Test
    void aPartyThatComesInterruptedBreaksIt() throws Exception {
        Barrier barrier = new Barrier(3);
        Running<String> other = arriving(ThreadKind.COROUTINE, barrier);

        Thread.currentThread().interrupt();
        assertThatThrownBy(barrier::await).isInstanceOf(InterruptedException.class);

        assertThat(Thread.interrupted()).isFalse();
        assertThat(other.get()).isEqualTo("broken");
    }

    @ParameterizedTest
    @EnumSource
    void aResetBreaksThoseWhoWaitAndMakesItAsNew(ThreadKind kind) throws Exception {
        Barrier barrier = new Barrier(2);
        Running<String> waiting = arriving(kind, barrier);
        barrier.reset();
        assertThat(waiting.get()).isEqualTo("broken");
        assertThat(barrier.isBroken()).isFalse();

        Running<String> next = arriving(kind, barrier);
        assertThat(barrier.await()).isZero();
        assertThat(next.get()).isEqualTo("missing 1");
    }

    @ParameterizedTest
    @EnumSource
    void anActionThatFailsBreaksItAndItsRunnerIsToldWhy(ThreadKind kind) throws Exception {
        Barrier barrier = new Barrier(2, () -> {
            throw new IOException("disk full");
        });
        Running<String> other = arriving(kind, barrier);

        assertThatThrownBy(barrier::await)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(IOException.class)
                .hasMessageContaining("disk full");

        assertThat(other.get()).isEqualTo("broken");
        assertThat(barrier.isBroken()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptWhileTheActionRunsIsKeptAndAllGoOn(ThreadKind kind) throws Exception {
        Event acting = new Event();
        Event enough = new Event();
        Barrier barrier = new Barrier(2, () -> {
            acting.set();
            enough.await();
        });
        Running<Boolean> waiting = kind.start(skein, () -> {
            barrier.await();
            return Thread.interrupted();
        });
        waiting.awaitWaiting();
        Running<Integer> last = ThreadKind.PLATFORM.start(skein, () -> barrier.await());
        acting.await();

        waiting.thread().interrupt();
        waiting.awaitWaiting();
        assertThat(waiting.outcome().isDone()).isFalse();
        enough.set();

        assertThat(waiting.get()).isTrue();
        assertThat(last.get()).isZero();
        assertThat(barrier.isBroken()).isFalse();
    }

    @Test
    void numbersThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> new Barrier(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Barrier(-1, () -> {})).isInstanceOf(IllegalArgumentException.class);
    }
}
