package io.skein;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two awaiters of one task: one of them runs it, and both have its value.
 *
 * <p>A result is what each awaiter got: which run of the body it was, or 0 where it came back with nothing.
 */
final class TaskStress {
    private TaskStress() {}

    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "one run, and both have its value")
    @Outcome(expect = Expect.FORBIDDEN, desc = "run twice, or somebody has nothing")
    static final class RunOnce {
        private RunOnce() {}
    }

    private static int runOf(Callable<Integer> once) {
        try {
            return once.call();
        } catch (Exception e) {
            throw new AssertionError("jcstress interrupts nobody, and the body does not fail", e);
        }
    }

    @JCStressTest
    @JCStressMeta(RunOnce.class)
    @State
    public static class TwoAwaiters {
        private final AtomicInteger runs = new AtomicInteger();
        private final Task<Integer> task = Task.of(runs::incrementAndGet);

        @Actor
        public void one(II_Result result) {
            result.r1 = runOf(task::await);
        }

        @Actor
        public void other(II_Result result) {
            result.r2 = runOf(task::await);
        }
    }

    @JCStressTest
    @JCStressMeta(RunOnce.class)
    @State
    public static class AwaitAgainstCall {
        private final AtomicInteger runs = new AtomicInteger();
        private final Task<Integer> task = Task.of(runs::incrementAndGet);

        @Actor
        public void one(II_Result result) {
            result.r1 = runOf(task::await);
        }

        @Actor
        public void other(II_Result result) {
            result.r2 = runOf(task);
        }
    }

    /** A task that looks whether it has begun and notes that it has in two steps, and waits for nobody. */
    private static final class BrokenTask {
        private final Callable<Integer> body;
        private final Window window = new Window();
        private volatile boolean begun;
        private volatile int value;

        BrokenTask(Callable<Integer> body) {
            this.body = body;
        }

        int await() throws Exception {
            if (!begun) {
                window.open();
                begun = true;
                value = body.call();
            }
            return value;
        }
    }

    @JCStressTest
    @JCStressMeta(RunOnce.class)
    @State
    public static class BrokenTwoAwaiters {
        private final AtomicInteger runs = new AtomicInteger();
        private final BrokenTask task = new BrokenTask(runs::incrementAndGet);

        @Actor
        public void one(II_Result result) {
            result.r1 = runOf(task::await);
        }

        @Actor
        public void other(II_Result result) {
            result.r2 = runOf(task::await);
        }
    }
}
