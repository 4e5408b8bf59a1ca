package io.skein.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.skein.Await;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Deadlines as values. */
class DeadlineTest {
    @Test
    void timeIsLeftUntilItIsOver() {
        Deadline deadline = Deadline.after(Duration.ofMillis(5));
        Await.until("it is over", deadline::isOver);

        assertThat(deadline.remaining()).isZero();
        assertThat(deadline).hasToString("Deadline[over]");
    }

    @Test
    void whatIsLeftIsLessThanThereWas() {
        Deadline deadline = Deadline.after(Duration.ofHours(1));

        assertThat(deadline.isOver()).isFalse();
        assertThat(deadline.remaining()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
        assertThat(deadline.toString()).matches("Deadline\\[59 min \\d+ s left]");
    }

    @Test
    void negativeIsOver() {
        assertThat(Deadline.after(Duration.ofDays(-1)).isOver()).isTrue();
        assertThat(Deadline.after(Duration.ZERO).isOver()).isTrue();
    }

    @Test
    void theLongestIsNotOver() {
        assertThat(Deadline.after(Duration.ofSeconds(Long.MAX_VALUE)).isOver()).isFalse();
        assertThat(Deadline.after(Duration.ofSeconds(Long.MAX_VALUE)).remaining())
                .isGreaterThan(Duration.ofDays(36_500));
    }

    @Test
    void theEarlierIsTheSmaller() {
        Deadline early = Deadline.after(Duration.ofMinutes(1));
        Deadline late = Deadline.after(Duration.ofMinutes(2));

        assertThat(early).isLessThan(late);
        assertThat(late.orEarlier(early)).isSameAs(early);
        assertThat(early.orEarlier(late)).isSameAs(early);
        assertThat(early).isNotEqualTo(late);
    }

    @Test
    @SuppressWarnings("NullAway") // on purpose
    void nullIsRefused() {
        assertThatNullPointerException().isThrownBy(() -> Deadline.after(null));
    }
}
