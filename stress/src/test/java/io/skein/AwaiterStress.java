package io.skein;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * A resume that comes as the waiting thread goes to sleep wakes it, and what was written before is seen.
 *
 * <p>A result is whether the resume says that it ended the wait, and what the waiting thread then read.
 */
final class AwaiterStress {
    private static final int WRITTEN = 7;
    private static final int LOST = -1;

    private AwaiterStress() {}

    @Outcome(id = "true, 7", expect = Expect.ACCEPTABLE, desc = "woken, and what was written is seen")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the wake-up or the write was lost")
    static final class Woken {
        private Woken() {}
    }

    /** Hands its resumer to the other actor. */
    private static final class Handed implements Awaiter<Integer> {
        private volatile @Nullable Resumer resumer;
        private int plain;

        @Override
        public boolean suspend(Resumer given) {
            resumer = given;
            return true;
        }

        @Override
        public Integer resume() {
            return plain;
        }

        boolean writeAndResume() {
            while (true) {
                Resumer given = resumer;
                if (given != null) {
                    plain = WRITTEN;
                    return given.resume();
                }
                Thread.onSpinWait();
            }
        }
    }

    @JCStressTest
    @JCStressMeta(Woken.class)
    @State
    public static class ResumeAgainstSuspend {
        private final Handed awaiter = new Handed();

        @Actor
        public void waiter(ZI_Result result) {
            try {
                result.r2 = awaiter.await();
            } catch (InterruptedException e) {
                throw new AssertionError("jcstress interrupts nobody", e);
            }
        }

        @Actor
        public void resumer(ZI_Result result) {
            result.r1 = awaiter.writeAndResume();
        }
    }

    /** An await that says who waits only after it has given its resumer away; it gives up instead of hanging. */
    private static final class BrokenAwait {
        private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

        private final Window window = new Window();
        private volatile @Nullable Thread waiting;
        private volatile boolean resumed;

        int await(Handed awaiter) {
            awaiter.suspend(this::resume);
            window.open();
            waiting = Thread.currentThread();
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (!resumed) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return LOST;
                }
                LockSupport.parkNanos(left);
            }
            return awaiter.resume();
        }

        private boolean resume() {
            Thread thread = waiting;
            if (thread == null) {
                return false;
            }
            resumed = true;
            LockSupport.unpark(thread);
            return true;
        }
    }

    @JCStressTest
    @JCStressMeta(Woken.class)
    @State
    public static class BrokenResumeAgainstSuspend {
        private final Handed awaiter = new Handed();
        private final BrokenAwait broken = new BrokenAwait();

        @Actor
        public void waiter(ZI_Result result) {
            result.r2 = broken.await(awaiter);
        }

        @Actor
        public void resumer(ZI_Result result) {
            result.r1 = awaiter.writeAndResume();
        }
    }
}
