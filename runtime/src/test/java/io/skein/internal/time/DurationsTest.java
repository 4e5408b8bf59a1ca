package io.skein.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How lengths of time read in messages. */
class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 s",
        "PT0.000000001S, 1 ns",
        "PT0.000000999S, 999 ns",
        "PT0.000001S, 1 µs",
        "PT0.0000015S, 1.5 µs",
        "PT0.001S, 1 ms",
        "PT0.00105S, 1.05 ms",
        "PT0.02S, 20 ms",
        "PT0.0123456S, 12.3 ms",
        "PT0.1005S, 100 ms",
        "PT0.299343848S, 299 ms",
        "PT0.999999999S, 999 ms",
        "PT1S, 1 s",
        "PT1.001S, 1 s",
        "PT2.5S, 2.5 s",
        "PT2.05S, 2.05 s",
        "PT10.25S, 10.2 s",
        "PT59.999S, 59.9 s",
        "PT1M, 1 min",
        "PT1M30.5S, 1 min 30 s",
        "PT1H, 1 h",
        "PT1H30M, 1 h 30 min",
        "PT25H, 1 d 1 h",
        "PT-0.5S, -500 ms",
    })
    void aLengthOfTimeReadsAsPeopleWriteIt(Duration duration, String text) {
        assertThat(Durations.text(duration)).isEqualTo(text);
        assertThat(Durations.text(duration.toNanos())).isEqualTo(text);
    }

    @Test
    void theLongestLengthsOfTimeHaveATextToo() {
        assertThat(Durations.text(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)))
                .isEqualTo("106751991167300 d 15 h");
        assertThat(Durations.text(Duration.ofSeconds(Long.MIN_VALUE))).isEqualTo("-106751991167300 d 15 h");
        assertThat(Durations.text(Long.MAX_VALUE)).isEqualTo("106751 d 23 h");
    }
}
