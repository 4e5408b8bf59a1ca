package io.skein.sync;

import java.util.concurrent.BrokenBarrierException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A barrier: nobody goes on before all have arrived, then everybody does and sees what the others did before. */
final class BarrierStress {
    private static final int TRIES = 1000;

    private BarrierStress() {}

    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "each sees what the other did before it arrived")
    @Outcome(expect = Expect.FORBIDDEN, desc = "one went on without the other, or waits for ever")
    static final class Together {
        private Together() {}
    }

    @JCStressTest
    @JCStressMeta(Together.class)
    @State
    public static class TwoParties {
        private final Barrier barrier = new Barrier(2);
        private int first;
        private int second;

        private void arrive() {
            try {
                barrier.await();
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new AssertionError("jcstress interrupts nobody", e);
            }
        }

        @Actor
        public void one(II_Result result) {
            first = 1;
            arrive();
            result.r1 = second;
        }

        @Actor
        public void other(II_Result result) {
            second = 1;
            arrive();
            result.r2 = first;
        }
    }

    /** Counts in two steps; and gives up the wait at some time, so that the test ends. */
    @JCStressTest
    @JCStressMeta(Together.class)
    @State
    public static class BrokenTwoParties {
        private volatile int arrived;

        @SuppressWarnings("NonAtomicVolatileUpdate") // that is what is broken
        private int arrive() {
            arrived++;
            for (int i = 0; i < TRIES && arrived < 2; i++) {
                Thread.onSpinWait();
            }
            return arrived < 2 ? 0 : 1;
        }

        @Actor
        public void one(II_Result result) {
            result.r1 = arrive();
        }

        @Actor
        public void other(II_Result result) {
            result.r2 = arrive();
        }
    }
}
