package io.skein.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScoreTest {

    private static final long SECOND = 1_000_000_000;

    @Test
    void aRoundTellsItsFiguresPerSecondAndPerRequest() {
        Round round = new Round(1_000, SECOND / 2, 20_000_000, 450_000, 900_000);

        assertThat(round.requestsPerSecond()).isEqualTo(2_000);
        assertThat(round.cpuMicrosPerRequest()).isEqualTo(20);
        assertThat(round.p50Micros()).isEqualTo(450);
        assertThat(round.p99Micros()).isEqualTo(900);
    }

    @Test
    void takesTheMedianOfEachFigureOnItsOwn() {
        Score score = Score.of(List.of(
                new Round(100, SECOND, 100_000, 3_000, 10_000),
                new Round(300, SECOND, 300_000, 1_000, 30_000),
                new Round(200, SECOND, 800_000, 2_000, 20_000)));

        assertThat(score).isEqualTo(new Score(200, 2, 20, 1));
    }

    @Test
    void takesTheMiddleOfTwoRounds() {
        Score score = Score.of(
                List.of(new Round(100, SECOND, 100_000, 1_000, 1_000), new Round(200, SECOND, 400_000, 2_000, 4_000)));

        assertThat(score).isEqualTo(new Score(150, 1.5, 2.5, 1.5));
    }
}
