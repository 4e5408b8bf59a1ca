package io.skein.sync;

import io.skein.Window;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.IZZ_Result;

/** Selects: exactly one clause takes effect, whoever comes against them. */
final class SelectStress {
    private static final Duration SHORT = Duration.ofNanos(5_000);
    private static final int TRIES = 50;

    private SelectStress() {}

    private static int await(Select<Integer> select) {
        try {
            return select.await();
        } catch (InterruptedException e) {
            throw new AssertionError("jcstress interrupts nobody", e);
        }
    }

    // One select that receives from two channels, and one thread that sends to both.

    @Outcome(id = "0, false, false", expect = Expect.ACCEPTABLE, desc = "nothing came in time")
    @Outcome(id = "1, true, false", expect = Expect.ACCEPTABLE, desc = "received from the first")
    @Outcome(id = "2, false, true", expect = Expect.ACCEPTABLE, desc = "received from the second")
    @Outcome(expect = Expect.FORBIDDEN, desc = "not exactly one")
    static final class OneClause {
        private OneClause() {}
    }

    @JCStressTest
    @JCStressMeta(OneClause.class)
    @State
    public static class SelectAgainstSends {
        private final Channel<Integer> first = Channel.rendezvous();
        private final Channel<Integer> second = Channel.rendezvous();

        @Actor
        public void select(IZZ_Result result) {
            result.r1 = await(Select.of(
                    Select.receive(first, v -> v), Select.receive(second, v -> v), Select.after(SHORT, () -> 0)));
        }

        @Actor
        public void sender(IZZ_Result result) {
            for (int i = 0; i < TRIES; i++) {
                result.r2 |= first.trySend(1);
                result.r3 |= second.trySend(2);
            }
        }
    }

    /** A select whose places are each a wait of their own, so that both can be served. */
    @JCStressTest
    @JCStressMeta(OneClause.class)
    @State
    public static class BrokenSelectAgainstSends {
        private final Channel<Integer> first = Channel.rendezvous();
        private final Channel<Integer> second = Channel.rendezvous();
        private final Window window = new Window();

        @Actor
        public void select(IZZ_Result result) {
            first.lock();
            Place one = first.unlockAndEnlist(first.receivers, null);
            second.lock();
            Place two = second.unlockAndEnlist(second.receivers, null);
            window.open();
            for (int i = 0; i < TRIES && one.isWaiting() && two.isWaiting(); i++) {
                Thread.onSpinWait();
            }
            first.remove(first.receivers, one);
            second.remove(second.receivers, two);
            result.r1 = one.item != null ? 1 : two.item != null ? 2 : 0;
        }

        @Actor
        public void sender(IZZ_Result result) {
            for (int i = 0; i < TRIES; i++) {
                result.r2 |= first.trySend(1);
                result.r3 |= second.trySend(2);
            }
        }
    }

    // Two selects that could meet in either of two channels.

    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "they did not meet in time")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "they met in the first")
    @Outcome(id = "2, 2", expect = Expect.ACCEPTABLE, desc = "they met in the second")
    @Outcome(expect = Expect.FORBIDDEN, desc = "they do not agree")
    static final class Met {
        private Met() {}
    }

    @JCStressTest
    @JCStressMeta(Met.class)
    @State
    public static class SelectAgainstSelect {
        private final Channel<Integer> first = Channel.rendezvous();
        private final Channel<Integer> second = Channel.rendezvous();

        @Actor
        public void one(II_Result result) {
            result.r1 = await(Select.of(
                    Select.send(first, 1, () -> 1), Select.receive(second, v -> v), Select.after(SHORT, () -> 0)));
        }

        @Actor
        public void other(II_Result result) {
            result.r2 = await(Select.of(
                    Select.send(second, 2, () -> 2), Select.receive(first, v -> v), Select.after(SHORT, () -> 0)));
        }
    }
}
