package io.skein.internal.sched;

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

/**
 * The last-in slot: what was put in is taken by exactly one.
 *
 * <p>A result is what the owner got, what the thief got, and the weight of all that came out, less that of all that went
 * in.
 */
final class LastInSlotStress {
    private LastInSlotStress() {}

    @Outcome(id = "\\d+, \\d+, 0", expect = Expect.ACCEPTABLE, desc = "each came out once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "some was lost or came out twice")
    static final class EachOnce {
        private EachOnce() {}
    }

    /** {@link LastInSlot} without its atomic exchange. */
    private static final class BrokenSlot {
        private final Window window = new Window();
        private volatile @Nullable Runnable occupant;

        @Nullable
        Runnable put(Runnable runnable) {
            Runnable displaced = occupant;
            window.open();
            occupant = runnable;
            return displaced;
        }

        @Nullable
        Runnable take() {
            Runnable taken = occupant;
            window.open();
            occupant = null;
            return taken;
        }
    }

    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class OwnerAgainstThief {
        private final LastInSlot slot = new LastInSlot();

        public OwnerAgainstThief() {
            slot.put(Token.A);
        }

        @Actor
        public void owner(III_Result result) {
            result.r1 = Token.weight(slot.take());
        }

        @Actor
        public void thief(III_Result result) {
            result.r2 = Token.weight(slot.take());
        }

        @Arbiter
        public void all(III_Result result) {
            result.r3 = result.r1 + result.r2 + Token.weight(slot.take()) - Token.A.weight();
        }
    }

    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class BrokenOwnerAgainstThief {
        private final BrokenSlot slot = new BrokenSlot();

        public BrokenOwnerAgainstThief() {
            slot.put(Token.A);
        }

        @Actor
        public void owner(III_Result result) {
            result.r1 = Token.weight(slot.take());
        }

        @Actor
        public void thief(III_Result result) {
            result.r2 = Token.weight(slot.take());
        }

        @Arbiter
        public void all(III_Result result) {
            result.r3 = result.r1 + result.r2 + Token.weight(slot.take()) - Token.A.weight();
        }
    }

    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class PutAgainstThief {
        private final LastInSlot slot = new LastInSlot();

        public PutAgainstThief() {
            slot.put(Token.A);
        }

        @Actor
        public void owner(III_Result result) {
            result.r1 = Token.weight(slot.put(Token.B));
        }

        @Actor
        public void thief(III_Result result) {
            result.r2 = Token.weight(slot.take());
        }

        @Arbiter
        public void all(III_Result result) {
            result.r3 = result.r1 + result.r2 + Token.weight(slot.take()) - Token.A.weight() - Token.B.weight();
        }
    }

    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class BrokenPutAgainstThief {
        private final BrokenSlot slot = new BrokenSlot();

        public BrokenPutAgainstThief() {
            slot.put(Token.A);
        }

        @Actor
        public void owner(III_Result result) {
            result.r1 = Token.weight(slot.put(Token.B));
        }

        @Actor
        public void thief(III_Result result) {
            result.r2 = Token.weight(slot.take());
        }

        @Arbiter
        public void all(III_Result result) {
            result.r3 = result.r1 + result.r2 + Token.weight(slot.take()) - Token.A.weight() - Token.B.weight();
        }
    }
}
