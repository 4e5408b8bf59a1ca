package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.internal.Budget;
import org.junit.jupiter.api.Test;

class TurnClockTest {
    private static final long SHORT = 200;
    private static final long LONG = 4 * Budget.SLICE_NANOS;

    private long now;
    private int looks;
    private final TurnClock clock = new TurnClock(() -> {
        looks++;
        return now;
    });

    @Test
    void aTurnOfLongRunsIsOverAfterTheFirst() {
        oneTurn(LONG);
        clock.nextTurn();

        assertThat(oneTurn(LONG)).isEqualTo(1);
    }

    @Test
    void aTurnOfShortRunsIsNotOver() {
        assertThat(oneTurn(SHORT)).isEqualTo(Worker.RUNS_PER_TURN);
    }

    @Test
    void shortRunsAreLookedAtSeldom() {
        oneTurn(SHORT);
        clock.nextTurn();
        looks = 0;

        oneTurn(SHORT);
        clock.nextTurn();

        assertThat(looks).isLessThanOrEqualTo(1 + Worker.RUNS_PER_TURN / TurnClock.MOST_RUNS);
    }

    @Test
    void turnsOfOneShortRunAreNotLookedAt() {
        oneTurn(SHORT);
        clock.nextTurn();
        looks = 0;

        for (int turn = 0; turn < 100; turn++) {
            run(SHORT);
            clock.nextTurn();
        }

        assertThat(looks).isLessThanOrEqualTo(1);
    }

    @Test
    void longRunsAfterShortOnesAreSeenWithinOneStride() {
        oneTurn(SHORT);
        clock.nextTurn();

        assertThat(oneTurn(LONG)).isLessThanOrEqualTo(TurnClock.MOST_RUNS);
        clock.nextTurn();
        assertThat(oneTurn(LONG)).isEqualTo(1);
    }

    @Test
    void oneShortRunAmongLongOnesDelaysTheNextLookByOneRun() {
        oneTurn(LONG);
        clock.nextTurn();
        run(SHORT);
        assertThat(clock.isOver()).isFalse();

        assertThat(oneTurn(LONG)).isLessThanOrEqualTo(2);
    }

    @Test
    void aTurnOfFewLongRunsIsEnoughToSeeThatTheyAreLong() {
        oneTurn(SHORT);
        clock.nextTurn();
        run(LONG);
        run(LONG);
        clock.nextTurn();

        assertThat(oneTurn(LONG)).isEqualTo(1);
    }

    @Test
    void whatWasSleptDoesNotCount() {
        run(SHORT);
        clock.sleep();
        now += LONG;

        run(SHORT);

        assertThat(clock.isOverNow()).isFalse();
    }

    /** Runs coroutines of a length until the turn is over, and says how many. */
    private int oneTurn(long length) {
        int runs = 0;
        do {
            run(length);
            runs++;
        } while (runs < Worker.RUNS_PER_TURN && !clock.isOver());
        return runs;
    }

    private void run(long length) {
        now += length;
        clock.countRun();
    }
}
