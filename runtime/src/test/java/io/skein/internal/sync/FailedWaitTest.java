package io.skein.internal.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A wait that fails, for lack of stack or memory, leaves nobody in line; and what it was given meanwhile is not lost. */
@Timeout(60)
class FailedWaitTest {
    /** Fails to wait, after something has happened. */
    private static final class Failing extends Patience {
        private final Runnable meanwhile;

        Failing(Runnable meanwhile) {
            super(0);
            this.meanwhile = meanwhile;
        }

        @Override
        public boolean await(Waiter waiter) {
            meanwhile.run();
            waiter.awaitResumedUntil(System.nanoTime()); // what fails is over or abandoned
            throw new StackOverflowError("on purpose");
        }
    }

    private static final Patience FAILING = new Failing(() -> {});

    private final Permits permits = new Permits(0);
    private final Tenure tenure = new Tenure();
    private final WaitQueue waiting = new WaitQueue();

    @Test
    void whoFailsToWaitIsNotInLineAnyMore() {
        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> permits.enter(1, FAILING));

        assertThat(permits.isDeserted()).isTrue();
        permits.leave(1);
        assertThat(permits.word()).isEqualTo(1);
    }

    @Test
    void whoFailsToWaitLetsThoseBehindItGoAhead() throws InterruptedException {
        permits.leave(1);
        Thread behind = new Thread(() -> {
            try {
                permits.enter(1, Patience.ENDLESS);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        Patience patience = new Failing(() -> {
            behind.start();
            Await.untilWaiting(behind);
        });

        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> permits.enter(2, patience));

        Await.untilEnded("the one behind", behind);
        assertThat(permits.word()).isZero();
    }

    @Test
    void whoIsAdmittedBeforeItFailsHasGoneAhead() throws InterruptedException {
        assertThat(permits.enter(1, new Failing(() -> permits.leave(1)))).isTrue();

        assertThat(permits.word()).isZero();
        assertThat(permits.isDeserted()).isTrue();
    }

    @Test
    void whoFailsToWaitForAMutexIsNotInLineAnyMore() {
        tenure.tryTake();

        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> tenure.take(FAILING));

        assertThat(tenure.isDeserted()).isTrue();
        tenure.give();
        assertThat(tenure.isHeld()).isFalse();
    }

    @Test
    void whoFailsToWaitForAMutexThatIsFreeByThenTakesIt() throws InterruptedException {
        tenure.tryTake();

        assertThat(tenure.take(new Failing(tenure::give))).isTrue();

        assertThat(tenure.isHeldByCaller()).isTrue();
        assertThat(tenure.isDeserted()).isTrue();
    }

    @Test
    void whoFailsToWaitForAMutexThatIsHandedToItHoldsIt() throws InterruptedException {
        Tenure handed = new Tenure(0);
        handed.tryTake();

        assertThat(handed.take(new Failing(handed::give))).isTrue();

        assertThat(handed.isHeldByCaller()).isTrue();
        assertThat(handed.isDeserted()).isTrue();
    }

    @Test
    void whoFailsToWaitForASignalHoldsTheMutexAndIsNotInLineAnyMore() {
        tenure.tryTake();

        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> tenure.awaitSignal(waiting, FAILING));

        assertThat(tenure.isHeldByCaller()).isTrue();
        assertThat(waiting.isEmpty()).isTrue();
        assertThat(tenure.isDeserted()).isTrue();
    }

    @Test
    void whoIsSignalledBeforeItFailsHasHadItsSignal() throws InterruptedException {
        tenure.tryTake();
        Patience patience = new Failing(() -> {
            tenure.tryTake();
            tenure.signal(waiting, 1);
            tenure.give();
        });

        assertThat(tenure.awaitSignal(waiting, patience)).isTrue();

        assertThat(tenure.isHeldByCaller()).isTrue();
        assertThat(tenure.isDeserted()).isTrue();
    }
}
