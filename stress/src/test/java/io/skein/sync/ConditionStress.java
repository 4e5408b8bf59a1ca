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
import org.openjdk.jcstress.infra.results.II_Result;

/** A condition: no signal gets lost between the look at what is waited for and the wait. */
final class ConditionStress {
    private ConditionStress() {}

    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "it went on, and left nothing behind")
    @Outcome(expect = Expect.FORBIDDEN, desc = "it waits for ever, or the mutex is held for ever")
    static final class Signalled {
        private Signalled() {}
    }

    @JCStressTest
    @JCStressMeta(Signalled.class)
    @State
    public static class SignalAgainstAwait {
        private final Mutex mutex = new Mutex();
        private final Condition condition = mutex.newCondition();
        private int ready;

        @Actor
        public void waiter(II_Result result) {
            mutex.lockUninterruptibly();
            try {
                condition.await(() -> ready == 1);
            } catch (InterruptedException e) {
                throw new AssertionError("jcstress interrupts nobody", e);
            }
            result.r1 = ready;
            mutex.unlock();
        }

        @Actor
        public void signaller() {
            mutex.lockUninterruptibly();
            ready = 1;
            condition.signal();
            mutex.unlock();
        }

        @Arbiter
        public void end(II_Result result) {
            result.r2 = number(!mutex.isLocked() && condition.isDeserted());
        }
    }

    /** Gives the mutex before it waits for the signal. Whether it would wait for ever is looked up at the end. */
    @JCStressTest
    @JCStressMeta(Signalled.class)
    @State
    public static class BrokenSignalAgainstAwait {
        private final Mutex mutex = new Mutex();
        private final Window window = new Window();
        private @Nullable Waiter waiting;
        private int ready;

        @Actor
        public void waiter() {
            mutex.lockUninterruptibly();
            boolean signalled = ready == 1;
            mutex.unlock();
            if (!signalled) {
                window.open();
                mutex.lockUninterruptibly();
                waiting = new Waiter();
                mutex.unlock();
            }
        }

        @Actor
        public void signaller() {
            mutex.lockUninterruptibly();
            ready = 1;
            if (waiting != null) {
                waiting.resume();
            }
            mutex.unlock();
        }

        @Arbiter
        public void end(II_Result result) {
            result.r1 = number(waiting == null || !waiting.isWaiting());
            result.r2 = number(!mutex.isLocked());
        }
    }
}
