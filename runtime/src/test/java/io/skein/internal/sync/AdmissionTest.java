package io.skein.internal.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who may go ahead, and who waits in line for that, step by step on one thread. */
@Timeout(60)
class AdmissionTest {
    private final Permits permits = new Permits(0);

    private boolean enter(long wanted, Patience patience) {
        try {
            return permits.enter(wanted, patience);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whoMayGoAheadDoesSoAtOnce() {
        permits.leave(3);

        assertThat(permits.tryEnter(2)).isTrue();
        assertThat(permits.tryEnter(2)).isFalse();
        assertThat(permits.word()).isEqualTo(1);
        assertThat(permits.isDeserted()).isTrue();
    }

    @Test
    void whoMayGoAheadDoesSoOnceAndWithoutAWait() {
        Permits several = new Permits(3);
        Scripted patience = new Scripted();
        Thread.currentThread().interrupt();

        assertThatNoException().isThrownBy(() -> several.enter(1, patience));

        assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
        assertThat(several.word()).isEqualTo(2);
        assertThat(patience.waits()).isZero();
    }

    @Test
    void whoIsInLineGoesAheadAsSoonAsItMay() {
        Scripted patience = new Scripted(() -> {
            permits.leave(1);
            assertThat(permits.isDeserted()).as("two are wanted").isFalse();
            assertThat(permits.word()).isEqualTo(1);
            permits.leave(2);
        });

        assertThat(enter(2, patience)).isTrue();

        assertThat(permits.word()).isEqualTo(1);
        assertThat(permits.isDeserted()).isTrue();
        assertThat(patience.resumes()).isEqualTo(1);
    }

    @Test
    void nobodyGoesAheadOfWhoIsInLine() {
        permits.leave(1);

        enter(2, new Scripted(() -> {
            assertThat(permits.tryEnter(1)).isFalse();
            assertThat(enter(1, new Scripted())).as("in line behind it").isFalse();
        }));

        assertThat(permits.tryEnter(1)).as("afterwards").isTrue();
    }

    @Test
    void aLineIsServedInOrderForAsLongAsTheFirstMayGoAhead() {
        Scripted third = new Scripted(() -> {
            assertThat(permits.waitersDescribed()).isEqualTo(", 3 waiting");
            permits.leave(2);
            assertThat(permits.waitersDescribed())
                    .as("the second one wants two")
                    .isEqualTo(", 2 waiting");
            permits.leave(2);
        });
        boolean[] ahead = new boolean[2];
        Scripted second = new Scripted(() -> ahead[1] = enter(1, third));
        Scripted first = new Scripted(() -> ahead[0] = enter(2, second));

        assertThat(enter(1, first)).isTrue();

        assertThat(ahead).containsExactly(true, true);
        assertThat(permits.word()).isZero();
        assertThat(permits.isDeserted()).isTrue();
    }

    @Test
    void whoGivesUpIsOutOfLine() {
        assertThat(enter(1, new Scripted())).isFalse();

        assertThat(permits.isDeserted()).isTrue();
        assertThat(permits.waitersDescribed()).isEmpty();
        permits.leave(1);
        assertThat(permits.word()).isEqualTo(1);
    }

    @Test
    void whoIsAdmittedAsItGivesUpHasGoneAhead() {
        assertThat(enter(1, Scripted.givingUpBefore(() -> permits.leave(1)))).isTrue();

        assertThat(permits.word()).isZero();
        assertThat(permits.isDeserted()).isTrue();
    }

    @Test
    void whoGivesUpBehindTheFirstLeavesItInLine() {
        Scripted first = new Scripted(() -> {
            assertThat(enter(1, new Scripted())).isFalse();
            assertThat(permits.isDeserted()).isFalse();
            permits.leave(1);
        });

        assertThat(enter(1, first)).isTrue();
    }

    @Test
    void whoIsRefusedAndThenMayAfterAllDoesNotWait() {
        permits.atNextRefusal(() -> permits.leave(2));
        Scripted patience = new Scripted();

        assertThat(enter(1, patience)).isTrue();

        assertThat(patience.waits()).isZero();
        assertThat(permits.word()).isEqualTo(1);
        assertThat(permits.isDeserted()).isTrue();
    }

    @Test
    void whoIsInterruptedBeforeTheWaitDoesNotGetInLine() {
        Scripted patience = new Scripted();
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> permits.enter(1, patience));

        assertThat(patience.waits()).isZero();
        assertThat(permits.isDeserted()).isTrue();
    }

    @Test
    void whoIsInterruptedInLineIsOutOfIt() {
        Scripted patience = new Scripted(() -> Thread.currentThread().interrupt());

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> permits.enter(1, patience));

        assertThat(permits.isDeserted()).isTrue();
    }

    @Test
    void aChangeThatFailsChangesNothing() {
        permits.leave(1);
        assertThatIllegalArgumentException().isThrownBy(() -> permits.leave(-1));
        assertThat(permits.word()).isEqualTo(1);

        Scripted patience = new Scripted(() -> {
            assertThatIllegalArgumentException().isThrownBy(() -> permits.leave(-1));
            permits.leave(1);
        });
        assertThat(enter(2, patience)).as("the line is served afterwards").isTrue();
    }
}
