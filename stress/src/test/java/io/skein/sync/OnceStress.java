package io.skein.sync;

import io.skein.Window;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A value that is computed once, whoever asks at the same time. */
final class OnceStress {
    private OnceStress() {}

    @Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "computed once, and both have it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "computed twice, or not seen by both")
    static final class Computed {
        private Computed() {}
    }

    @JCStressTest
    @JCStressMeta(Computed.class)
    @State
    public static class TwoAsk {
        private int computations;
        private final Once<Integer> once = Once.of(() -> ++computations);

        private int get() {
            try {
                return once.get();
            } catch (InterruptedException e) {
                throw new AssertionError("jcstress interrupts nobody", e);
            }
        }

        @Actor
        public void one(III_Result result) {
            result.r1 = get();
        }

        @Actor
        public void other(III_Result result) {
            result.r2 = get();
        }

        @Arbiter
        public void end(III_Result result) {
            result.r3 = computations;
        }
    }

    /** Looks and computes in two steps. */
    @JCStressTest
    @JCStressMeta(Computed.class)
    @State
    public static class BrokenTwoAsk {
        private final Window window = new Window();
        private volatile int computations;
        private volatile @Nullable Integer value;

        @SuppressWarnings("NonAtomicVolatileUpdate") // that is what is broken
        private int get() {
            Integer seen = value;
            if (seen == null) {
                window.open();
                seen = ++computations;
                value = seen;
            }
            return seen;
        }

        @Actor
        public void one(III_Result result) {
            result.r1 = get();
        }

        @Actor
        public void other(III_Result result) {
            result.r2 = get();
        }

        @Arbiter
        public void end(III_Result result) {
            result.r3 = computations;
        }
    }
}
