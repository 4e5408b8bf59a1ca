package io.skein.internal.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who holds a mutex and who is next, step by step on one thread. */
@Timeout(60)
class TenureTest {
    private static final int NUDGES = 4;

    private final Tenure tenure = new Tenure();
    private final WaitQueue waiting = new WaitQueue();

    private void giveAndOvertake() {
        tenure.give();
        assertThat(tenure.tryTake())
                .as("it is free until the first in line looks")
                .isTrue();
    }

    private void interruptCaller() {
        Thread.currentThread().interrupt();
    }

    @Test
    void whatIsFreeIsTakenOnce() {
        assertThat(tenure.tryTake()).isTrue();

        assertThat(tenure.isHeld()).isTrue();
        assertThat(tenure.isHeldByCaller()).isTrue();
        assertThat(tenure.holder()).isSameAs(Thread.currentThread());
        assertThat(tenure.tryTake()).isFalse();
    }

    @Test
    void whatIsGivenIsFreeAndNobodys() {
        tenure.tryTake();

        tenure.give();

        assertThat(tenure.isHeld()).isFalse();
        assertThat(tenure.isHeldByCaller()).isFalse();
        assertThat(tenure.holder()).isNull();
        assertThat(tenure.tryTake()).isTrue();
    }

    @Test
    void whatIsFreeIsTakenByTheInterruptedToo() throws InterruptedException {
        interruptCaller();

        assertThat(tenure.take(new Scripted())).isTrue();

        assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
        assertThat(tenure.isHeldByCaller()).isTrue();
    }

    @Test
    void whoIsInLineTakesItWhenItIsGiven() throws InterruptedException {
        tenure.tryTake();

        assertThat(tenure.take(new Scripted(tenure::give))).isTrue();

        assertThat(tenure.isHeldByCaller()).isTrue();
        assertThat(tenure.isDeserted()).isTrue();
        tenure.give();
        assertThat(tenure.isHeld()).isFalse();
    }

    @Test
    void aLineIsSeenWhileSomebodyIsInIt() throws InterruptedException {
        tenure.tryTake();

        tenure.take(new Scripted(() -> {
            assertThat(tenure.isDeserted()).isFalse();
            assertThat(tenure.waitersDescribed()).isEqualTo(", 1 waiting");
            assertThat(tenure.tryTake()).as("it is held").isFalse();
        }));

        assertThat(tenure.waitersDescribed()).isEmpty();
    }

    @Test
    void whoGivesUpHasNothingAndIsOutOfLine() throws InterruptedException {
        tenure.tryTake();

        assertThat(tenure.take(new Scripted())).isFalse();

        assertThat(tenure.isDeserted()).isTrue();
        assertThat(tenure.isHeld()).as("by its holder").isTrue();
        tenure.give();
        assertThat(tenure.tryTake()).isTrue();
    }

    @Test
    void whoGivesUpDoesNotTakeItselfForTheHolder() throws InterruptedException {
        Thread holder = Thread.ofPlatform().start(tenure::tryTake);
        holder.join();

        assertThat(tenure.take(new Scripted())).isFalse();

        assertThat(tenure.isHeldByCaller()).isFalse();
        assertThat(tenure.holder()).isSameAs(holder);
    }

    @Test
    void whoGivesUpThoughItIsFreeByThenTakesIt() throws InterruptedException {
        tenure.tryTake();

        assertThat(tenure.take(Scripted.givingUpBefore(tenure::give))).isTrue();

        assertThat(tenure.isHeldByCaller()).isTrue();
        assertThat(tenure.isDeserted()).isTrue();
    }

    @Test
    void whoIsInterruptedBeforeTheWaitDoesNotGetInLine() {
        tenure.tryTake();
        interruptCaller();
        Scripted patience = new Scripted();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> tenure.take(patience));

        assertThat(patience.waits()).isZero();
        assertThat(tenure.isDeserted()).isTrue();
    }

    @Test
    void whoIsInterruptedInLineIsOutOfIt() {
        tenure.tryTake();

        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> tenure.take(new Scripted(this::interruptCaller)));

        assertThat(tenure.isDeserted()).isTrue();
        assertThat(Thread.interrupted()).as("the status is cleared").isFalse();
    }

    // Nudges.

    @Test
    void whoIsNudgedInVainWaitsAgain() throws InterruptedException {
        tenure.tryTake();
        Scripted patience = new Scripted(this::giveAndOvertake, tenure::give);

        assertThat(tenure.take(patience)).isTrue();

        assertThat(patience.waits()).isEqualTo(2);
    }

    @Test
    void afterSoManyNudgesInVainTheFirstInLineIsGivenIt() throws InterruptedException {
        tenure.tryTake();
        Runnable[] steps = new Runnable[NUDGES + 1];
        for (int i = 0; i < NUDGES; i++) {
            steps[i] = this::giveAndOvertake;
        }
        steps[NUDGES] = () -> {
            tenure.give();
            assertThat(tenure.tryTake()).as("it is the first one's").isFalse();
        };
        Scripted patience = new Scripted(steps);

        assertThat(tenure.take(patience)).isTrue();

        assertThat(patience.resumes()).isEqualTo(NUDGES + 1);
        assertThat(tenure.isHeldByCaller()).isTrue();
    }

    @Test
    void nudgesInVainAreCountedAnewForTheNextInLine() throws InterruptedException {
        tenure.tryTake();
        tenure.take(new Scripted(this::giveAndOvertake, this::giveAndOvertake, tenure::give));
        Runnable[] steps = new Runnable[NUDGES + 1];
        for (int i = 0; i < NUDGES; i++) {
            steps[i] = this::giveAndOvertake;
        }
        steps[NUDGES] = tenure::give;
        Scripted patience = new Scripted(steps);

        assertThat(tenure.take(patience)).isTrue();

        assertThat(patience.waits()).isEqualTo(NUDGES + 1);
    }

    @Test
    void nudgesInVainAreNotForgottenWhenSomebodyBehindGivesUp() throws InterruptedException {
        tenure.tryTake();
        Runnable[] steps = new Runnable[NUDGES + 1];
        for (int i = 0; i < NUDGES; i++) {
            steps[i] = () -> {
                assertThat(takeBy(new Scripted())).as("somebody behind").isFalse();
                giveAndOvertake();
            };
        }
        steps[NUDGES] = () -> {
            tenure.give();
            assertThat(tenure.tryTake()).as("it is the first one's").isFalse();
        };

        assertThat(tenure.take(new Scripted(steps))).isTrue();
    }

    @Test
    void whoIsNudgedAndHasNotLookedYetNeedsNoSecondNudge() throws InterruptedException {
        tenure.tryTake();
        Scripted patience = new Scripted(() -> {
            giveAndOvertake();
            tenure.give();
        });

        assertThat(tenure.take(patience)).isTrue();

        assertThat(patience.resumes()).isEqualTo(1);
    }

    @Test
    void withoutNudgesItIsAlwaysGivenToTheFirstInLine() throws InterruptedException {
        Tenure fair = new Tenure(0);
        fair.tryTake();

        boolean taken = fair.take(new Scripted(() -> {
            fair.give();
            assertThat(fair.tryTake()).isFalse();
        }));

        assertThat(taken).isTrue();
    }

    /** The second in line gives up; as it is free just then, it takes it, and the first one looks in vain. */
    @Test
    void theFirstInLineIsNudgedAgainAfterAnotherWasFaster() throws InterruptedException {
        tenure.tryTake();
        Scripted second = new Scripted(tenure::give);
        Scripted first = new Scripted(() -> takeBy(second), tenure::give);

        assertThat(tenure.take(first)).isTrue();

        assertThat(second.waits()).isEqualTo(1);
        assertThat(first.waits()).isEqualTo(2);
        assertThat(tenure.isDeserted()).isTrue();
    }

    @Test
    void whoGivesUpBehindTheFirstLeavesItInLine() throws InterruptedException {
        tenure.tryTake();
        Scripted first = new Scripted(() -> {
            assertThat(takeBy(new Scripted())).isFalse();
            assertThat(tenure.waitersDescribed()).isEqualTo(", 1 waiting");
            assertThat(tenure.isDeserted()).isFalse();
            tenure.give();
        });

        assertThat(tenure.take(first)).isTrue();
    }

    private boolean takeBy(Patience patience) {
        try {
            return tenure.take(patience);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    // Signals.

    private void signal(int count) {
        assertThat(tenure.tryTake())
                .as("who waits for a signal does not hold it")
                .isTrue();
        tenure.signal(waiting, count);
        tenure.give();
    }

    @Test
    void whoIsSignalledHoldsItAgain() throws InterruptedException {
        tenure.tryTake();

        Scripted patience = new Scripted(() -> signal(1));

        assertThat(tenure.awaitSignal(waiting, patience)).isTrue();

        assertThat(patience.resumes()).isEqualTo(1);
        assertThat(tenure.isHeldByCaller()).isTrue();
        assertThat(tenure.isDeserted()).isTrue();
        assertThat(waiting.isEmpty()).isTrue();
    }

    @Test
    void whoIsNotSignalledHoldsItAgainAndIsOutOfLine() throws InterruptedException {
        tenure.tryTake();

        assertThat(tenure.awaitSignal(waiting, new Scripted())).isFalse();

        assertThat(tenure.isHeldByCaller()).isTrue();
        assertThat(waiting.isEmpty()).isTrue();
    }

    @Test
    void whoIsSignalledAsItGivesUpHasHadItsSignal() throws InterruptedException {
        tenure.tryTake();

        assertThat(tenure.awaitSignal(waiting, Scripted.givingUpBefore(() -> signal(1))))
                .isTrue();

        assertThat(tenure.isHeldByCaller()).isTrue();
        assertThat(tenure.isDeserted()).isTrue();
    }

    @Test
    void whoIsInterruptedBeforeASignalHoldsItAgain() {
        tenure.tryTake();

        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> tenure.awaitSignal(waiting, new Scripted(this::interruptCaller)));

        assertThat(tenure.isHeldByCaller()).isTrue();
        assertThat(waiting.isEmpty()).isTrue();
    }

    @Test
    void whoIsInterruptedBeforeItWaitsForASignalKeepsIt() {
        tenure.tryTake();
        interruptCaller();
        Scripted patience = new Scripted();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> tenure.awaitSignal(waiting, patience));

        assertThat(patience.waits()).isZero();
        assertThat(tenure.isHeldByCaller()).isTrue();
    }

    @Test
    void aSignalReachesNoMoreThanItIsMeantFor() throws InterruptedException {
        tenure.tryTake();
        Scripted second = new Scripted(() -> {
            signal(1);
            assertThat(waiting.described()).isEqualTo(", 1 waiting");
            assertThat(tenure.waitersDescribed()).isEqualTo(", 1 waiting");
        });

        boolean signalled = tenure.awaitSignal(waiting, new Scripted(() -> {
            assertThat(tenure.tryTake()).isTrue();
            assertThat(awaitSignalBy(second)).as("the second one").isFalse();
            tenure.give();
        }));

        assertThat(signalled).as("the first one").isTrue();
    }

    private boolean awaitSignalBy(Patience patience) {
        try {
            return tenure.awaitSignal(waiting, patience);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aSignalToNobodyChangesNothing() {
        tenure.tryTake();

        tenure.signal(waiting, 3);

        assertThat(tenure.isDeserted()).isTrue();
        tenure.give();
        assertThat(tenure.isHeld()).isFalse();
    }
}
