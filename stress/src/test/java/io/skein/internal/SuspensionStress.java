package io.skein.internal;

import io.skein.Window;
import io.skein.internal.sync.Waiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A suspension that is given up and begun again while somebody resumes it: who resumes knows whether it was heard. */
final class SuspensionStress {
    private SuspensionStress() {}

    @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "the first wait was resumed")
    @Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "the second wait was resumed")
    @Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "none was, and the resumer knows")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the two do not agree")
    static final class Agreed {
        private Agreed() {}
    }

    @JCStressTest
    @JCStressMeta(Agreed.class)
    @State
    public static class ResumeAgainstAbandonAndBegin {
        private final Waiter waiter = new Waiter();

        @Actor
        public void waiter(III_Result result) {
            result.r1 = waiter.awaitResumedUntil(System.nanoTime()) ? 1 : 0;
            waiter.beginAgain();
            result.r2 = waiter.awaitResumedUntil(System.nanoTime()) ? 1 : 0;
        }

        @Actor
        public void resumer(III_Result result) {
            result.r3 = waiter.resume() ? 1 : 0;
        }
    }

    /** Looks and steps in two steps, on either side. */
    @JCStressTest
    @JCStressMeta(Agreed.class)
    @State
    public static class BrokenResumeAgainstAbandonAndBegin {
        private static final int OVER = 0;
        private static final int WAITING = 1;
        private static final int ABANDONED = 2;

        private final Window window = new Window();
        private volatile int state = WAITING;

        private int abandon() {
            if (state == WAITING) {
                window.open();
                state = ABANDONED;
                return 0;
            }
            return 1;
        }

        @Actor
        public void waiter(III_Result result) {
            result.r1 = abandon();
            state = WAITING;
            result.r2 = abandon();
        }

        @Actor
        public void resumer(III_Result result) {
            if (state == WAITING) {
                window.open();
                state = OVER;
                result.r3 = 1;
            }
        }
    }
}
