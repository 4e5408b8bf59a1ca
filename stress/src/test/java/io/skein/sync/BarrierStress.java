package io.skein.sync;

import static io.skein.sync.SemaphoreStress.number;

import io.skein.Window;
import java.util.concurrent.BrokenBarrierException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A barrier: nobody goes on before all have arrived, then everybody does and sees what the others did before. */
final class BarrierStress {
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

    /** Counts in two steps. Nobody waits: a party that would wait for ever is seen by the count. */
    @JCStressTest
    @JCStressMeta(Together.class)
    @State
    public static class BrokenTwoParties {
        private final Window window = new Window();
        private volatile int arrived;

        private void arrive() {
            int seen = arrived;
            window.open();
            arrived = seen + 1;
        }

        @Actor
        public void one() {
            arrive();
        }

        @Actor
        public void other() {
            arrive();
        }

        @Arbiter
        public void end(II_Result result) {
            result.r1 = number(arrived == 2);
            result.r2 = result.r1;
        }
    }
}
