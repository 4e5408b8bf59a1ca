package io.skein.sync;

import static io.skein.sync.SemaphoreStress.number;

import io.skein.Window;
import io.skein.internal.sync.Waiter;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** An event: whoever waits for it hears of it, and sees what was done before. */
final class EventStress {
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

    /** Does not look again when it has got in line. Whether it would wait for ever is looked up at the end. */
    @JCStressTest
    @JCStressMeta(Heard.class)
    @State
    public static class BrokenSetAgainstAwait {
        private final Window window = new Window();
        private volatile boolean set;
        private volatile @Nullable Waiter waiting;

        @Actor
        public void waiter() {
            if (!set) {
                window.open();
                waiting = new Waiter();
            }
        }

        @Actor
        public void setter() {
            set = true;
            Waiter waiter = waiting;
            if (waiter != null) {
                waiter.resume();
            }
        }

        @Arbiter
        public void end(I_Result result) {
            Waiter waiter = waiting;
            result.r1 = number(waiter == null || !waiter.isWaiting());
        }
    }
}
