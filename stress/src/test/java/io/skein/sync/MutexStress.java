package io.skein.sync;

import static io.skein.sync.SemaphoreStress.number;

import io.skein.internal.sync.Patience;
import io.skein.internal.sync.Tenure;
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

/** A mutex: one holder at a time, and it is never left held by somebody who gave up. */
final class MutexStress {
    private MutexStress() {}

    @Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "one after the other, and it is free afterwards")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both at once, or it is held for ever")
    static final class OneAfterTheOther {
        private OneAfterTheOther() {}
    }

    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "one of them has it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both have it, or nobody")
    static final class OneHolder {
        private OneHolder() {}
    }

    @Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "taken, and held")
    @Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "given up, and free")
    @Outcome(expect = Expect.FORBIDDEN, desc = "held by nobody or not held by its holder, or somebody is still in line")
    static final class HeldOrFree {
        private HeldOrFree() {}
    }

    @JCStressTest
    @JCStressMeta(OneAfterTheOther.class)
    @State
    public static class TwoLock {
        private final Mutex mutex = new Mutex();
        private int counter;

        @Actor
        public void one() {
            mutex.lockUninterruptibly();
            counter++;
            mutex.unlock();
        }

        @Actor
        public void other() {
            mutex.lockUninterruptibly();
            counter++;
            mutex.unlock();
        }

        @Arbiter
        public void end(II_Result result) {
            result.r1 = counter;
            result.r2 = number(!mutex.isLocked());
        }
    }

    @JCStressTest
    @JCStressMeta(OneAfterTheOther.class)
    @State
    public static class BrokenTwoLock {
        private final BrokenSemaphore mutex = new BrokenSemaphore(1);
        private int counter;

        private void count() {
            while (!mutex.tryAcquire()) {
                Thread.onSpinWait();
            }
            int seen = counter;
            mutex.openWindow();
            counter = seen + 1;
            mutex.release();
        }

        @Actor
        public void one() {
            count();
        }

        @Actor
        public void other() {
            count();
        }

        @Arbiter
        public void end(II_Result result) {
            result.r1 = counter;
            result.r2 = mutex.availablePermits();
        }
    }

    @JCStressTest
    @JCStressMeta(OneHolder.class)
    @State
    public static class TwoTry {
        private final Mutex mutex = new Mutex();

        @Actor
        public void one(II_Result result) {
            result.r1 = number(mutex.tryLock());
        }

        @Actor
        public void other(II_Result result) {
            result.r2 = number(mutex.tryLock());
        }
    }

    @JCStressTest
    @JCStressMeta(OneHolder.class)
    @State
    public static class BrokenTwoTry {
        private final BrokenSemaphore mutex = new BrokenSemaphore(1);

        @Actor
        public void one(II_Result result) {
            result.r1 = number(mutex.tryAcquire());
        }

        @Actor
        public void other(II_Result result) {
            result.r2 = number(mutex.tryAcquire());
        }
    }

    @JCStressTest
    @JCStressMeta(HeldOrFree.class)
    @State
    public static class UnlockAgainstGivingUp {
        private final Tenure tenure = new Tenure();

        public UnlockAgainstGivingUp() {
            tenure.tryTake();
        }

        @Actor
        public void waiter(III_Result result) {
            try {
                result.r1 = number(tenure.take(Patience.of(Duration.ZERO)));
            } catch (InterruptedException e) {
                throw new AssertionError("jcstress interrupts nobody", e);
            }
        }

        @Actor
        public void holder() {
            tenure.give();
        }

        @Arbiter
        public void end(III_Result result) {
            result.r2 = number(tenure.isHeld());
            result.r3 = number(tenure.isDeserted());
        }
    }

    @JCStressTest
    @JCStressMeta(HeldOrFree.class)
    @State
    public static class HandoverAgainstGivingUp {
        private final Tenure tenure = new Tenure(0);

        public HandoverAgainstGivingUp() {
            tenure.tryTake();
        }

        @Actor
        public void waiter(III_Result result) {
            try {
                result.r1 = number(tenure.take(Patience.of(Duration.ZERO)));
            } catch (InterruptedException e) {
                throw new AssertionError("jcstress interrupts nobody", e);
            }
        }

        @Actor
        public void holder() {
            tenure.give();
        }

        @Arbiter
        public void end(III_Result result) {
            result.r2 = number(tenure.isHeld());
            result.r3 = number(tenure.isDeserted());
        }
    }

    /** Hands over to somebody who gives up. */
    @JCStressTest
    @JCStressMeta(HeldOrFree.class)
    @State
    public static class BrokenUnlockAgainstGivingUp {
        private final BrokenSemaphore mutex = new BrokenSemaphore(0);

        @Actor
        public void waiter(III_Result result) {
            result.r1 = number(mutex.tryAcquire(Patience.of(Duration.ZERO)));
        }

        @Actor
        public void holder() {
            mutex.release();
        }

        @Arbiter
        public void end(III_Result result) {
            result.r2 = 1 - mutex.availablePermits();
            result.r3 = 1;
        }
    }
}
