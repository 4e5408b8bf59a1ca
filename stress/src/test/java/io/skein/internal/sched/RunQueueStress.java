package io.skein.internal.sched;

import io.skein.internal.sched.BrokenRing.Flaw;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The run queue: whatever its owner and its thieves do at the same time, each coroutine comes out exactly once.
 *
 * <p>In every result the first number is the weight of all that came out, less the weight of all that went in. The second
 * is what the thief, or one of two thieves, ran, so that a report shows the races that there were.
 */
final class RunQueueStress {
    private RunQueueStress() {}

    @Outcome(id = "0, \\d+", expect = Expect.ACCEPTABLE, desc = "each came out once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "some was lost or came out twice")
    static final class EachOnce {
        private EachOnce() {}
    }

    /** A full ring, and what its owner and its thieves do. */
    abstract static class FullRing {
        private static final Token[] TOKENS = {Token.A, Token.B, Token.C, Token.D};

        private final Spilled spilled = new Spilled();
        private final Ring ring;
        private final Ring firstThief;
        private final Ring secondThief;
        private int pushed;

        FullRing(int capacity, @Nullable Flaw flaw) {
            ring = ring(capacity, flaw);
            firstThief = ring(capacity, flaw);
            secondThief = ring(capacity, flaw);
            for (int i = 0; i < capacity; i++) {
                push(TOKENS[i]);
            }
        }

        private Ring ring(int capacity, @Nullable Flaw flaw) {
            return flaw == null ? Ring.real(capacity, spilled) : new BrokenRing(flaw, capacity, spilled);
        }

        private void push(Token token) {
            pushed += token.weight();
            ring.push(token);
        }

        /** The owner makes room and fills it again. */
        final int popPushPop() {
            int popped = Token.weight(ring.pop());
            push(Token.E);
            return popped + Token.weight(ring.pop());
        }

        /** The owner pushes more than there is room for, unless a thief makes some. */
        final void pushTwo() {
            push(Token.E);
            push(Token.F);
        }

        final int steal() {
            return Token.weight(ring.stealHalfInto(firstThief));
        }

        final int stealToo() {
            return Token.weight(ring.stealHalfInto(secondThief));
        }

        /** What nobody has run, wherever it is, less all that there was. */
        final int restLessAll() {
            return ring.drain() + firstThief.drain() + secondThief.drain() + spilled.weight() - pushed;
        }
    }

    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class PopAgainstThief extends FullRing {
        public PopAgainstThief() {
            super(4, null);
        }

        @Actor
        public void owner(II_Result result) {
            result.r1 = popPushPop();
        }

        @Actor
        public void thief(II_Result result) {
            result.r2 = steal();
        }

        @Arbiter
        public void rest(II_Result result) {
            result.r1 += result.r2 + restLessAll();
        }
    }

    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class PopAgainstThiefIn2Slots extends FullRing {
        public PopAgainstThiefIn2Slots() {
            super(2, null);
        }

        @Actor
        public void owner(II_Result result) {
            result.r1 = popPushPop();
        }

        @Actor
        public void thief(II_Result result) {
            result.r2 = steal();
        }

        @Arbiter
        public void rest(II_Result result) {
            result.r1 += result.r2 + restLessAll();
        }
    }

    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class BrokenPopWithoutCompareAndSet extends FullRing {
        public BrokenPopWithoutCompareAndSet() {
            super(4, Flaw.POP_WITHOUT_COMPARE_AND_SET);
        }

        @Actor
        public void owner(II_Result result) {
            result.r1 = popPushPop();
        }

        @Actor
        public void thief(II_Result result) {
            result.r2 = steal();
        }

        @Arbiter
        public void rest(II_Result result) {
            result.r1 += result.r2 + restLessAll();
        }
    }

    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class OverflowAgainstThief extends FullRing {
        public OverflowAgainstThief() {
            super(4, null);
        }

        @Actor
        public void owner() {
            pushTwo();
        }

        @Actor
        public void thief(II_Result result) {
            result.r2 = steal();
        }

        @Arbiter
        public void rest(II_Result result) {
            result.r1 += result.r2 + restLessAll();
        }
    }

    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class OverflowAgainstThiefIn2Slots extends FullRing {
        public OverflowAgainstThiefIn2Slots() {
            super(2, null);
        }

        @Actor
        public void owner() {
            pushTwo();
        }

        @Actor
        public void thief(II_Result result) {
            result.r2 = steal();
        }

        @Arbiter
        public void rest(II_Result result) {
            result.r1 += result.r2 + restLessAll();
        }
    }

    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class BrokenSpillWithoutCompareAndSet extends FullRing {
        public BrokenSpillWithoutCompareAndSet() {
            super(4, Flaw.SPILL_WITHOUT_COMPARE_AND_SET);
        }

        @Actor
        public void owner() {
            pushTwo();
        }

        @Actor
        public void thief(II_Result result) {
            result.r2 = steal();
        }

        @Arbiter
        public void rest(II_Result result) {
            result.r1 += result.r2 + restLessAll();
        }
    }

    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class BrokenReleaseBeforeCopy extends FullRing {
        public BrokenReleaseBeforeCopy() {
            super(4, Flaw.RELEASE_BEFORE_COPY);
        }

        @Actor
        public void owner() {
            pushTwo();
        }

        @Actor
        public void thief(II_Result result) {
            result.r2 = steal();
        }

        @Arbiter
        public void rest(II_Result result) {
            result.r1 += result.r2 + restLessAll();
        }
    }

    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class BrokenRoomCountedFromRealHead extends FullRing {
        public BrokenRoomCountedFromRealHead() {
            super(2, Flaw.ROOM_COUNTED_FROM_REAL_HEAD);
        }

        @Actor
        public void owner() {
            pushTwo();
        }

        @Actor
        public void thief(II_Result result) {
            result.r2 = steal();
        }

        @Arbiter
        public void rest(II_Result result) {
            result.r1 += result.r2 + restLessAll();
        }
    }

    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class TwoThieves extends FullRing {
        public TwoThieves() {
            super(4, null);
        }

        @Actor
        public void thief(II_Result result) {
            result.r1 = steal();
        }

        @Actor
        public void otherThief(II_Result result) {
            result.r2 = stealToo();
        }

        @Arbiter
        public void rest(II_Result result) {
            result.r1 += result.r2 + restLessAll();
        }
    }

    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class TwoThievesIn2Slots extends FullRing {
        public TwoThievesIn2Slots() {
            super(2, null);
        }

        @Actor
        public void thief(II_Result result) {
            result.r1 = steal();
        }

        @Actor
        public void otherThief(II_Result result) {
            result.r2 = stealToo();
        }

        @Arbiter
        public void rest(II_Result result) {
            result.r1 += result.r2 + restLessAll();
        }
    }

    @JCStressTest
    @JCStressMeta(EachOnce.class)
    @State
    public static class BrokenSecondThiefLetIn extends FullRing {
        public BrokenSecondThiefLetIn() {
            super(4, Flaw.SECOND_THIEF_LET_IN);
        }

        @Actor
        public void thief(II_Result result) {
            result.r1 = steal();
        }

        @Actor
        public void otherThief(II_Result result) {
            result.r2 = stealToo();
        }

        @Arbiter
        public void rest(II_Result result) {
            result.r1 += result.r2 + restLessAll();
        }
    }
}
