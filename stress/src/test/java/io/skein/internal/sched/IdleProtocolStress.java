package io.skein.internal.sched;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.IZZ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The idle protocol: work is never left while everybody sleeps, and new work wakes one worker at most. */
final class IdleProtocolStress {
    private IdleProtocolStress() {}

    @Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "work is there, and its only taker sleeps on")
    @Outcome(expect = Expect.ACCEPTABLE, desc = "the sleeper saw the work, or was woken")
    static final class SeenOrWoken {
        private SeenOrWoken() {}
    }

    /** Worker 0 runs and has a queue of its own; worker 1 has searched it in vain. */
    abstract static class LastSearcher {
        static final int SLEEPER = 1;

        final IdleWorkers idle = new IdleWorkers(2);
        final RunQueue queue = new RunQueue(4, new Spilled());

        LastSearcher() {
            idle.startSearching();
        }

        final boolean hasWork() {
            return queue.thief().size() > 0;
        }

        final boolean wake() {
            return idle.shouldWake() && idle.wakeOne() == SLEEPER;
        }
    }

    /** As the last searcher gives up, a worker queues something for others to take. */
    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class PublisherAgainstLastSearcher extends LastSearcher {
        @Actor
        public void sleeper(ZZ_Result result) {
            boolean wasLast = idle.fallAsleep(SLEEPER, true);
            result.r1 = wasLast && hasWork();
        }

        @Actor
        public void publisher(ZZ_Result result) {
            queue.push(Token.A);
            VarHandle.fullFence();
            result.r2 = wake();
        }
    }

    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class BrokenSleeperDoesNotLookAgain extends LastSearcher {
        @Actor
        public void sleeper(ZZ_Result result) {
            result.r1 = hasWork();
            idle.fallAsleep(SLEEPER, true);
        }

        @Actor
        public void publisher(ZZ_Result result) {
            queue.push(Token.A);
            VarHandle.fullFence();
            result.r2 = wake();
        }
    }

    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class BrokenPublisherLooksFirst extends LastSearcher {
        @Actor
        public void sleeper(ZZ_Result result) {
            boolean wasLast = idle.fallAsleep(SLEEPER, true);
            result.r1 = wasLast && hasWork();
        }

        @Actor
        public void publisher(ZZ_Result result) {
            result.r2 = wake();
            VarHandle.fullFence();
            queue.push(Token.A);
        }
    }

    /** The store that publishes is not before the load of the counts. */
    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class BrokenPublisherWithoutFence extends LastSearcher {
        private final AtomicBoolean work = new AtomicBoolean();

        @Actor
        public void sleeper(ZZ_Result result) {
            boolean wasLast = idle.fallAsleep(SLEEPER, true);
            result.r1 = wasLast && work.get();
        }

        @Actor
        public void publisher(ZZ_Result result) {
            work.setOpaque(true);
            result.r2 = wake();
        }
    }

    /** Work for one worker alone: its sender looks at that worker's bit, the worker at its inbox. */
    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class SenderAgainstSleeper {
        private final IdleWorkers idle = new IdleWorkers(1);
        private final SharedQueue inbox = new SharedQueue();

        @Actor
        public void sleeper(ZZ_Result result) {
            idle.fallAsleep(0, false);
            result.r1 = !inbox.isEmpty();
        }

        @Actor
        public void sender(ZZ_Result result) {
            inbox.take(Token.A);
            VarHandle.fullFence();
            result.r2 = idle.wake(0) == 0;
        }
    }

    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class BrokenSleeperLooksAtInboxFirst {
        private final IdleWorkers idle = new IdleWorkers(1);
        private final SharedQueue inbox = new SharedQueue();

        @Actor
        public void sleeper(ZZ_Result result) {
            result.r1 = !inbox.isEmpty();
            idle.fallAsleep(0, false);
        }

        @Actor
        public void sender(ZZ_Result result) {
            inbox.take(Token.A);
            VarHandle.fullFence();
            result.r2 = idle.wake(0) == 0;
        }
    }

    /** Two sleep; the first publisher makes one of them a searcher, and that is enough for the second too. */
    @JCStressTest
    @Outcome(
            id = {"0, -1", "-1, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "one was woken")
    @Outcome(expect = Expect.FORBIDDEN, desc = "none or two were woken")
    @State
    public static class TwoPublishers {
        private final IdleWorkers idle = new IdleWorkers(2);

        public TwoPublishers() {
            idle.fallAsleep(0, false);
            idle.fallAsleep(1, false);
        }

        @Actor
        public void publisher(II_Result result) {
            result.r1 = idle.wakeOne();
        }

        @Actor
        public void otherPublisher(II_Result result) {
            result.r2 = idle.wakeOne();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"0, -1", "-1, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "one was woken")
    @Outcome(expect = Expect.FORBIDDEN, desc = "none or two were woken")
    @State
    public static class BrokenCountedInWithoutCompareAndSet {
        private final BrokenIdleWorkers idle =
                new BrokenIdleWorkers(BrokenIdleWorkers.Flaw.COUNTED_IN_WITHOUT_COMPARE_AND_SET, 2);

        public BrokenCountedInWithoutCompareAndSet() {
            idle.fallAsleep(0, false);
            idle.fallAsleep(1, false);
        }

        @Actor
        public void publisher(II_Result result) {
            result.r1 = idle.wakeOne();
        }

        @Actor
        public void otherPublisher(II_Result result) {
            result.r2 = idle.wakeOne();
        }
    }

    @Outcome(id = "0, true, true", expect = Expect.ACCEPTABLE, desc = "woken by the waker, and knows it")
    @Outcome(id = "-1, false, true", expect = Expect.ACCEPTABLE, desc = "woke by itself, and the waker knows it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both or nobody had the bit, or the counts are wrong now")
    static final class WokenByOne {
        private WokenByOne() {}
    }

    /** A sleeper's driver returns while somebody wakes it. */
    @JCStressTest
    @JCStressMeta(WokenByOne.class)
    @State
    public static class WakerAgainstSelf {
        private final IdleWorkers idle = new IdleWorkers(2);

        public WakerAgainstSelf() {
            idle.fallAsleep(0, false);
        }

        @Actor
        public void waker(IZZ_Result result) {
            result.r1 = idle.wakeOne();
        }

        @Actor
        public void sleeper(IZZ_Result result) {
            result.r2 = idle.wakeUp(0);
        }

        @Arbiter
        public void countsAreRight(IZZ_Result result) {
            boolean searcherCounted = !result.r2 || idle.stopSearching();
            boolean allAwake = !idle.isAsleep(0) && !idle.shouldWake();
            idle.fallAsleep(0, false);
            result.r3 = searcherCounted && allAwake && idle.wakeOne() == 0 && idle.wakeOne() == -1;
        }
    }

    @JCStressTest
    @JCStressMeta(WokenByOne.class)
    @State
    public static class BrokenBitTakenWithoutCompareAndSet {
        private final BrokenIdleWorkers idle =
                new BrokenIdleWorkers(BrokenIdleWorkers.Flaw.BIT_TAKEN_WITHOUT_COMPARE_AND_SET, 2);

        public BrokenBitTakenWithoutCompareAndSet() {
            idle.fallAsleep(0, false);
        }

        @Actor
        public void waker(IZZ_Result result) {
            result.r1 = idle.wakeOne();
        }

        @Actor
        public void sleeper(IZZ_Result result) {
            result.r2 = idle.wakeUp(0);
        }

        @Arbiter
        public void countsAreRight(IZZ_Result result) {
            boolean searcherCounted = !result.r2 || idle.stopSearching();
            boolean allAwake = !idle.isAsleep(0) && !idle.shouldWake();
            idle.fallAsleep(0, false);
            result.r3 = searcherCounted && allAwake && idle.wakeOne() == 0 && idle.wakeOne() == -1;
        }
    }

    /** A waker that finds no bit has looked like a searcher to the worker that woke by itself and gives up again. */
    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class WakerThatMissesAgainstSearcher {
        private final IdleWorkers idle = new IdleWorkers(2);
        private final RunQueue queue = new RunQueue(4, new Spilled());

        public WakerThatMissesAgainstSearcher() {
            idle.fallAsleep(0, false);
        }

        @Actor
        public void sleeper(ZZ_Result result) {
            boolean searching = idle.wakeUp(0) || idle.startSearching();
            if (searching && queue.thief().size() > 0) {
                result.r1 = true;
            } else {
                boolean wasLast = idle.fallAsleep(0, searching);
                result.r1 = wasLast && queue.thief().size() > 0;
            }
        }

        @Actor
        public void publisher(ZZ_Result result) {
            queue.push(Token.A);
            VarHandle.fullFence();
            result.r2 = idle.shouldWake() && idle.wakeOne() == 0;
        }
    }

    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class BrokenNoLookAfterAMiss {
        private final BrokenIdleWorkers idle = new BrokenIdleWorkers(BrokenIdleWorkers.Flaw.NO_LOOK_AFTER_A_MISS, 2);
        private final RunQueue queue = new RunQueue(4, new Spilled());

        public BrokenNoLookAfterAMiss() {
            idle.fallAsleep(0, false);
        }

        @Actor
        public void sleeper(ZZ_Result result) {
            boolean searching = idle.wakeUp(0) || idle.startSearching();
            if (searching && queue.thief().size() > 0) {
                result.r1 = true;
            } else {
                boolean wasLast = idle.fallAsleep(0, searching);
                result.r1 = wasLast && queue.thief().size() > 0;
            }
        }

        @Actor
        public void publisher(ZZ_Result result) {
            queue.push(Token.A);
            VarHandle.fullFence();
            result.r2 = idle.shouldWake() && idle.wakeOne() == 0;
        }
    }

    /** Worker 1 naps, and worker 0 has just one coroutine to run, which it puts into its last-in slot. */
    abstract static class Napper {
        final IdleWorkers idle = new IdleWorkers(2);
        final LastInSlot slot = new LastInSlot();

        Napper() {
            idle.startNap();
        }
    }

    /** As a nap ends, a coroutine is put into a last-in slot: its putter wakes somebody, or who napped sees it. */
    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class PutterAgainstEndOfNap extends Napper {
        @Actor
        public void napper(ZZ_Result result) {
            idle.endNap();
            result.r1 = !slot.isEmpty();
        }

        @Actor
        public void putter(ZZ_Result result) {
            slot.put(Token.A);
            result.r2 = !idle.isAnyNapping();
        }
    }

    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class BrokenNapperLooksTooEarly extends Napper {
        @Actor
        public void napper(ZZ_Result result) {
            result.r1 = !slot.isEmpty();
            idle.endNap();
        }

        @Actor
        public void putter(ZZ_Result result) {
            slot.put(Token.A);
            result.r2 = !idle.isAnyNapping();
        }
    }
}
