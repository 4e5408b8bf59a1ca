package io.skein.sync;

import io.skein.internal.sync.Patience;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** A semaphore: no permit is issued twice, and none is lost to somebody who gives up. */
final class SemaphoreStress {
    private SemaphoreStress() {}

    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "one of them has it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "issued twice, or to nobody")
    static final class OnePermit {
        private OnePermit() {}
    }

    @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "acquired")
    @Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "given up, and the permit is there for others")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the permit is lost or there twice, or somebody is still in line")
    static final class NothingLost {
        private NothingLost() {}
    }

    static int number(boolean truth) {
        return truth ? 1 : 0;
    }

    @JCStressTest
    @JCStressMeta(OnePermit.class)
    @State
    public static class TwoTry {
        private final Semaphore semaphore = new Semaphore(1);

        @Actor
        public void one(II_Result result) {
            result.r1 = number(semaphore.tryAcquire());
        }

        @Actor
        public void other(II_Result result) {
            result.r2 = number(semaphore.tryAcquire());
        }
    }

    @JCStressTest
    @JCStressMeta(OnePermit.class)
    @State
    public static class BrokenTwoTry {
        private final BrokenSemaphore semaphore = new BrokenSemaphore(1);

        @Actor
        public void one(II_Result result) {
            result.r1 = number(semaphore.tryAcquire());
        }

        @Actor
        public void other(II_Result result) {
            result.r2 = number(semaphore.tryAcquire());
        }
    }

    @JCStressTest
    @JCStressMeta(NothingLost.class)
    @State
    public static class ReleaseAgainstGivingUp {
        private final Semaphore semaphore = new Semaphore(0);

        @Actor
        public void waiter(III_Result result) {
            try {
                result.r1 = number(semaphore.tryAcquire(Duration.ZERO));
            } catch (InterruptedException e) {
                throw new AssertionError("jcstress interrupts nobody", e);
            }
        }

        @Actor
        public void releaser() {
            semaphore.release();
        }

        @Arbiter
        public void end(III_Result result) {
            result.r2 = semaphore.availablePermits();
            result.r3 = number(semaphore.isDeserted());
        }
    }

    @JCStressTest
    @JCStressMeta(NothingLost.class)
    @State
    public static class BrokenReleaseAgainstGivingUp {
        private final BrokenSemaphore semaphore = new BrokenSemaphore(0);

        @Actor
        public void waiter(III_Result result) {
            result.r1 = number(semaphore.tryAcquire(Patience.of(Duration.ZERO)));
        }

        @Actor
        public void releaser() {
            semaphore.release();
        }

        @Arbiter
        public void end(III_Result result) {
            result.r2 = semaphore.availablePermits();
            result.r3 = 1;
        }
    }
}
