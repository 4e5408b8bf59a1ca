package io.skein.sync;

import io.skein.internal.sync.Waiter;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** An event: whoever waits for it hears of it, and sees what was done before. */
final class EventStress {
    private static final int TRIES = 1000;

    private EventStress() {}

    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "it went on, and sees what was done before")
    @Outcome(expect = Expect.FORBIDDEN, desc = "it does not see it, or waits for ever")
    static final class Heard {
        private Heard() {}
    }

    @JCStressTest
    @JCStressMeta(Heard.class)
    @State
    public static class SetAgainstAwait {
        private final Event event = new Event();
        private int data;

        @Actor
        public void waiter(I_Result result) {
            try {
                event.await();
            } catch (InterruptedException e) {
                throw new AssertionError("jcstress interrupts nobody", e);
            }
            result.r1 = data;
        }

        @Actor
        public void setter() {
            data = 1;
            event.set();
        }
    }

    /** Does not look again when it has got in line; and gives up the wait at some time, so that the test ends. */
    @JCStressTest
    @JCStressMeta(Heard.class)
    @State
    public static class BrokenSetAgainstAwait {
        private volatile boolean set;
        private volatile @Nullable Waiter waiting;

        @Actor
        public void waiter(I_Result result) {
            if (!set) {
                Waiter waiter = new Waiter();
                waiting = waiter;
                for (int i = 0; i < TRIES && waiter.isWaiting(); i++) {
                    Thread.onSpinWait();
                }
                result.r1 = waiter.isWaiting() ? 0 : 1;
            } else {
                result.r1 = 1;
            }
        }

        @Actor
        public void setter() {
            Waiter waiter = waiting;
            set = true;
            if (waiter != null) {
                waiter.resume();
            }
        }
    }
}
