package io.skein.internal.sched;

import io.skein.internal.Uninterruptibly;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The stop protocol: who comes as the runtime stops is run or refused, never lost, and the stop ends. */
final class StopProtocolStress {
    private StopProtocolStress() {}

    @Outcome(id = "true, false, true", expect = Expect.ACCEPTABLE, desc = "came in, and the stop waited for it")
    @Outcome(id = "false, true, true", expect = Expect.ACCEPTABLE, desc = "refused, and the stop waited for nobody")
    @Outcome(expect = Expect.FORBIDDEN, desc = "lost, or the stop did not end")
    static final class RunOrRefused {
        private RunOrRefused() {}
    }

    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "all gone, and nobody comes in")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the stop did not end, or somebody came in after it")
    static final class StopEnds {
        private StopEnds() {}
    }

    @Outcome(
            id = {"true, false, true", "false, false, true"},
            expect = Expect.ACCEPTABLE,
            desc = "run or refused")
    @Outcome(expect = Expect.FORBIDDEN, desc = "it lives, and the runtime has stopped")
    static final class StoppedWhenIdle {
        private StoppedWhenIdle() {}
    }

    private static boolean enters(Population population) {
        try {
            population.enter(false);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private static boolean entersFromInside(Population population) {
        try {
            population.enter(true);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private static boolean enters(BrokenPopulation population) {
        try {
            population.enter();
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private static boolean isGone(Population population) {
        try {
            return population.awaitGone(0, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError("jcstress interrupts nobody", e);
        }
    }

    @JCStressTest
    @JCStressMeta(RunOrRefused.class)
    @State
    public static class EnterAgainstRefuse {
        private final Population population = new Population();

        @Actor
        public void spawner(ZZZ_Result result) {
            result.r1 = enters(population);
        }

        @Actor
        public void stopper() {
            population.refuse();
        }

        @Arbiter
        public void stop(ZZZ_Result result) {
            result.r2 = isGone(population);
            if (result.r1) {
                population.leave();
            }
            result.r3 = isGone(population);
        }
    }

    @JCStressTest
    @JCStressMeta(RunOrRefused.class)
    @State
    public static class BrokenRefuseLosesWhoEnters {
        private final BrokenPopulation population =
                new BrokenPopulation(BrokenPopulation.Flaw.REFUSE_WITHOUT_COMPARE_AND_SET);

        @Actor
        public void spawner(ZZZ_Result result) {
            result.r1 = enters(population);
        }

        @Actor
        public void stopper() {
            population.refuse();
        }

        @Arbiter
        public void stop(ZZZ_Result result) {
            result.r2 = population.isGone();
            if (result.r1) {
                population.leave();
            }
            result.r3 = population.isGone();
        }
    }

    @JCStressTest
    @JCStressMeta(RunOrRefused.class)
    @State
    public static class BrokenEnterLooksBeforeItCounts {
        private final BrokenPopulation population =
                new BrokenPopulation(BrokenPopulation.Flaw.ENTER_LOOKS_BEFORE_IT_COUNTS);

        @Actor
        public void spawner(ZZZ_Result result) {
            result.r1 = enters(population);
        }

        @Actor
        public void stopper() {
            population.refuse();
        }

        @Arbiter
        public void stop(ZZZ_Result result) {
            result.r2 = population.isGone();
            if (result.r1) {
                population.leave();
            }
            result.r3 = population.isGone();
        }
    }

    @JCStressTest
    @JCStressMeta(StopEnds.class)
    @State
    public static class LeaveAgainstRefuse {
        private final Population population = new Population();

        public LeaveAgainstRefuse() {
            population.enter(false);
        }

        @Actor
        public void coroutine() {
            population.leave();
        }

        @Actor
        public void stopper() {
            population.refuse();
        }

        @Arbiter
        public void stop(ZZ_Result result) {
            result.r1 = isGone(population);
            result.r2 = !enters(population);
        }
    }

    @JCStressTest
    @JCStressMeta(StopEnds.class)
    @State
    public static class BrokenRefuseLosesWhoLeaves {
        private final BrokenPopulation population =
                new BrokenPopulation(BrokenPopulation.Flaw.REFUSE_WITHOUT_COMPARE_AND_SET);

        public BrokenRefuseLosesWhoLeaves() {
            population.enter();
        }

        @Actor
        public void coroutine() {
            population.leave();
        }

        @Actor
        public void stopper() {
            population.refuse();
        }

        @Arbiter
        public void stop(ZZ_Result result) {
            result.r1 = population.isGone();
            result.r2 = !enters(population);
        }
    }

    /** One who lives may always bring in another. */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "the child came in, and the stop ended after it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the child was refused, or the stop did not end")
    @State
    public static class SpawnInsideAgainstRefuse {
        private final Population population = new Population();

        public SpawnInsideAgainstRefuse() {
            population.enter(false);
        }

        @Actor
        public void coroutine(ZZ_Result result) {
            result.r1 = entersFromInside(population);
            population.leave();
        }

        @Actor
        public void stopper() {
            population.refuse();
        }

        @Arbiter
        public void stop(ZZ_Result result) {
            boolean before = isGone(population);
            population.leave();
            result.r2 = !before && isGone(population);
        }
    }

    /** A loop that ends when nobody lives. */
    @JCStressTest
    @JCStressMeta(StoppedWhenIdle.class)
    @State
    public static class IdleAgainstEnter {
        private final Population population = new Population();

        @Actor
        public void spawner(ZZZ_Result result) {
            result.r1 = enters(population);
            if (result.r1) {
                Thread.onSpinWait(); // it lives for a moment
                result.r2 = population.isRefusing();
                population.leave();
            }
        }

        @Actor
        public void stopper() {
            Uninterruptibly.run(population::awaitIdleAndRefuse);
        }

        @Arbiter
        public void stop(ZZZ_Result result) {
            result.r3 = isGone(population);
        }
    }

    @JCStressTest
    @JCStressMeta(StoppedWhenIdle.class)
    @State
    public static class BrokenIdleSeenBeforeRefused {
        private final BrokenPopulation population =
                new BrokenPopulation(BrokenPopulation.Flaw.IDLE_SEEN_BEFORE_REFUSED);

        @Actor
        public void spawner(ZZZ_Result result) {
            result.r1 = enters(population);
            if (result.r1) {
                population.openWindow(); // it lives for a moment
                result.r2 = population.isRefusing();
                population.leave();
            }
        }

        @Actor
        public void stopper() {
            population.awaitIdleAndRefuse();
        }

        @Arbiter
        public void stop(ZZZ_Result result) {
            result.r3 = population.isGone();
        }
    }
}
