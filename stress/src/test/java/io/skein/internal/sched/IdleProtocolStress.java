package io.skein.internal.sched;

import io.skein.Window;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.IZZ_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * The idle protocol: work is never left while everybody sleeps, and new work wakes one worker at most. The tests run what the
 * runtime runs; only thread and driver of a worker are missing. The steps of the broken twins are written here.
 */
final class IdleProtocolStress {
    private IdleProtocolStress() {}

    @Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "work is there, and its only taker sleeps on")
    @Outcome(expect = Expect.ACCEPTABLE, desc = "the sleeper saw the work, or was woken")
    static final class SeenOrWoken {
        private SeenOrWoken() {}
    }

    /** Worker 0 runs and publishes; worker 1 has searched in vain, and nobody else searches. */
    abstract static class LastSearcher {
        final WorkSharing sharing = new WorkSharing(2, new SharedQueue(), _ -> signalled = true);
        final StressWorker running = new StressWorker(sharing, 0);
        final StressWorker sleeper = new StressWorker(sharing, 1).searching();

        /** Written by the publisher, who alone signals. */
        boolean signalled;
    }

    /** As the last searcher gives up, a worker queues something for others to take. */
    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class PublisherAgainstLastSearcher extends LastSearcher {
        @Actor
        public void sleeper(ZZ_Result result) {
            result.r1 = !sleeper.fallsAsleep();
        }

        @Actor
        public void publisher(ZZ_Result result) {
            running.queues.schedule(Token.A, false);
            result.r2 = signalled;
        }
    }

    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class LastInSlotAgainstLastSearcher extends LastSearcher {
        @Actor
        public void sleeper(ZZ_Result result) {
            result.r1 = !sleeper.fallsAsleep();
        }

        @Actor
        public void publisher(ZZ_Result result) {
            running.queues.schedule(Token.A, true);
            result.r2 = signalled;
        }
    }

    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class ArrivalAgainstLastSearcher extends LastSearcher {
        @Actor
        public void sleeper(ZZ_Result result) {
            result.r1 = !sleeper.fallsAsleep();
        }

        @Actor
        public void publisher(ZZ_Result result) {
            running.queues.arrive(Token.A);
            result.r2 = signalled;
        }
    }

    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class GlobalQueueAgainstLastSearcher extends LastSearcher {
        @Actor
        public void sleeper(ZZ_Result result) {
            result.r1 = !sleeper.fallsAsleep();
        }

        @Actor
        public void publisher(ZZ_Result result) {
            sharing.publish(Token.A);
            result.r2 = signalled;
        }
    }

    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class BrokenSleeperDoesNotLookAgain extends LastSearcher {
        private final Window window = new Window();

        @Actor
        public void sleeper(ZZ_Result result) {
            result.r1 = sharing.hasWorkFor(1, true, false);
            window.open();
            sharing.idle().fallAsleep(1, true);
        }

        @Actor
        public void publisher(ZZ_Result result) {
            running.queues.schedule(Token.A, false);
            result.r2 = signalled;
        }
    }

    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class BrokenPublisherLooksFirst extends LastSearcher {
        private final Window window = new Window();

        @Actor
        public void sleeper(ZZ_Result result) {
            result.r1 = !sleeper.fallsAsleep();
        }

        @Actor
        public void publisher(ZZ_Result result) {
            sharing.announce();
            window.open();
            running.queues.requeue(Token.A);
            result.r2 = signalled;
        }
    }

    /** The store that publishes is not before the load of the counts. */
    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class BrokenPublisherWithoutFence {
        private final IdleWorkers idle = new IdleWorkers(2);
        private final AtomicBoolean work = new AtomicBoolean();

        public BrokenPublisherWithoutFence() {
            idle.startSearching();
        }

        @Actor
        public void sleeper(ZZ_Result result) {
            boolean wasLast = idle.fallAsleep(1, true);
            result.r1 = wasLast && work.get();
        }

        @Actor
        public void publisher(ZZ_Result result) {
            work.setOpaque(true);
            result.r2 = idle.shouldWake(1) && idle.wakeOne(1) == 1;
        }
    }

    /** Work for one worker alone: its sender looks at that worker's bit, the worker at its inbox. */
    abstract static class Pinned {
        final WorkSharing sharing = new WorkSharing(1, new SharedQueue(), _ -> signalled = true);
        final StressWorker worker = new StressWorker(sharing, 0);

        /** Written by the sender, who alone signals. */
        boolean signalled;
    }

    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class SenderAgainstSleeper extends Pinned {
        @Actor
        public void sleeper(ZZ_Result result) {
            result.r1 = !worker.fallsAsleep();
        }

        @Actor
        public void sender(ZZ_Result result) {
            worker.queues.arrive(Token.A);
            result.r2 = signalled;
        }
    }

    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class BrokenSleeperLooksAtInboxFirst extends Pinned {
        private final Window window = new Window();

        @Actor
        public void sleeper(ZZ_Result result) {
            result.r1 = worker.hasOwnWork();
            window.open();
            sharing.idle().fallAsleep(0, false);
        }

        @Actor
        public void sender(ZZ_Result result) {
            worker.queues.arrive(Token.A);
            result.r2 = signalled;
        }
    }

    /** A worker that is told to stop waits for whoever may still signal it, and then closes its driver. */
    @JCStressTest
    @Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "signalled before the driver was closed, or not at all")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a driver was signalled that is closed")
    @State
    public static class SignallerAgainstStop {
        private final WorkSharing sharing = new WorkSharing(1, new SharedQueue(), _ -> signal());
        private final StressWorker worker = new StressWorker(sharing, 0);
        private volatile boolean closed;
        private boolean late;

        public SignallerAgainstStop() {
            worker.fallsAsleep();
        }

        private void signal() {
            late = closed;
        }

        @Actor
        public void sender(Z_Result result) {
            sharing.wake(0);
            result.r1 = late;
        }

        @Actor
        public void stopping() {
            worker.idleness.wakeUp();
            sharing.awaitSignallers();
            closed = true;
        }
    }

    /** A coroutine stands in for the worker and is about to sleep; somebody ends its wait. */
    abstract static class StoodIn {
        final WorkSharing sharing = new WorkSharing(1, new SharedQueue(), _ -> signalled = true);

        /** Plain: the fences of the two sides have to order it. */
        boolean over;

        /** Written by the resumer, who alone signals. */
        boolean signalled;
    }

    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class ResumerAgainstStandIn extends StoodIn {
        @Actor
        public void sleeper(ZZ_Result result) {
            sharing.standIn(0);
            result.r1 = over;
        }

        @Actor
        public void resumer(ZZ_Result result) {
            over = true;
            sharing.wake(0);
            result.r2 = signalled;
        }
    }

    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class BrokenStandInLooksBeforeItsMark extends StoodIn {
        private final Window window = new Window();

        @Actor
        public void sleeper(ZZ_Result result) {
            result.r1 = over;
            window.open();
            sharing.standIn(0);
        }

        @Actor
        public void resumer(ZZ_Result result) {
            over = true;
            sharing.wake(0);
            result.r2 = signalled;
        }
    }

    /** As {@link SignallerAgainstStop}, for a worker that ends with the mark of one who stood in and ran out of stack. */
    @JCStressTest
    @Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "signalled before the driver was closed, or not at all")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a driver was signalled that is closed")
    @State
    public static class StandInSignallerAgainstStop {
        private final WorkSharing sharing = new WorkSharing(1, new SharedQueue(), _ -> signal());
        private volatile boolean closed;
        private boolean late;

        public StandInSignallerAgainstStop() {
            sharing.standIn(0);
        }

        private void signal() {
            late = closed;
        }

        @Actor
        public void resumer(Z_Result result) {
            sharing.wakeStandIn(0);
            result.r1 = late;
        }

        @Actor
        public void stopping() {
            sharing.endStandIn(0);
            sharing.awaitSignallers();
            closed = true;
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
            result.r1 = idle.wakeOne(1);
        }

        @Actor
        public void otherPublisher(II_Result result) {
            result.r2 = idle.wakeOne(1);
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
            result.r1 = idle.wakeOne(1);
        }

        @Actor
        public void otherPublisher(II_Result result) {
            result.r2 = idle.wakeOne(1);
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
            result.r1 = idle.wakeOne(1);
        }

        @Actor
        public void sleeper(IZZ_Result result) {
            result.r2 = idle.wakeUp(0);
        }

        @Arbiter
        public void countsAreRight(IZZ_Result result) {
            boolean searcherCounted = !result.r2 || idle.stopSearching();
            boolean allAwake = !idle.isAsleep(0) && !idle.shouldWake(1);
            idle.fallAsleep(0, false);
            result.r3 = searcherCounted && allAwake && idle.wakeOne(1) == 0 && idle.wakeOne(1) == -1;
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
            result.r1 = idle.wakeOne(1);
        }

        @Actor
        public void sleeper(IZZ_Result result) {
            result.r2 = idle.wakeUp(0);
        }

        @Arbiter
        public void countsAreRight(IZZ_Result result) {
            boolean searcherCounted = !result.r2 || idle.stopSearching();
            boolean allAwake = !idle.isAsleep(0) && !idle.shouldWake(1);
            idle.fallAsleep(0, false);
            result.r3 = searcherCounted && allAwake && idle.wakeOne(1) == 0 && idle.wakeOne(1) == -1;
        }
    }

    /** A waker that finds no bit has looked like a searcher to the worker that woke by itself and gives up again. */
    @JCStressTest
    @JCStressMeta(SeenOrWoken.class)
    @State
    public static class WakerThatMissesAgainstSearcher {
        private final WorkSharing sharing = new WorkSharing(2, new SharedQueue(), _ -> signalled = true);
        private final StressWorker running = new StressWorker(sharing, 1);
        private final StressWorker sleeper = new StressWorker(sharing, 0);
        private boolean signalled;

        public WakerThatMissesAgainstSearcher() {
            sleeper.fallsAsleep();
        }

        @Actor
        public void sleeper(ZZ_Result result) {
            sleeper.idleness.wakeUp();
            result.r1 = sleeper.idleness.findWork() != null || !sleeper.fallsAsleep();
        }

        @Actor
        public void publisher(ZZ_Result result) {
            running.queues.schedule(Token.A, false);
            result.r2 = signalled;
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
            result.r2 = idle.shouldWake(1) && idle.wakeOne(1) == 0;
        }
    }

    /** Worker 1 naps, since worker 0 runs one coroutine after another from its last-in slot; worker 2 sleeps. */
    abstract static class Napper {
        final AtomicInteger signals = new AtomicInteger();
        final WorkSharing sharing = new WorkSharing(3, new SharedQueue(), _ -> signals.getAndIncrement());
        final StressWorker running = new StressWorker(sharing, 0);
        final StressWorker napper = new StressWorker(sharing, 1);
        final StressWorker asleep = new StressWorker(sharing, 2);

        Napper() {
            running.busy = true;
            running.queues.schedule(Token.B, true);
            napper.searching().fallsAsleep();
            running.queues.next();
            asleep.fallsAsleep();
        }
    }

    @Outcome(id = "0", expect = Expect.FORBIDDEN, desc = "work is there, and its only taker sleeps on")
    @Outcome(expect = Expect.ACCEPTABLE, desc = "the sleeper was woken")
    static final class SleeperIsWoken {
        private SleeperIsWoken() {}
    }

    /** As a nap ends, a coroutine is put into a last-in slot: its putter wakes a worker, or the one that napped does. */
    @JCStressTest
    @JCStressMeta(SleeperIsWoken.class)
    @State
    public static class PutterAgainstEndOfNap extends Napper {
        @Actor
        public void napper() {
            napper.idleness.wakeUp();
        }

        @Actor
        public void putter() {
            running.queues.schedule(Token.A, true);
        }

        @Arbiter
        public void woken(I_Result result) {
            result.r1 = signals.get();
        }
    }

    @JCStressTest
    @JCStressMeta(SleeperIsWoken.class)
    @State
    public static class BrokenNapperLooksTooEarly extends Napper {
        private final Window window = new Window();

        @Actor
        public void napper() {
            sharing.idle().wakeUp(1);
            if (sharing.withLastIn(1, 0) >= 0) {
                sharing.announce();
            }
            window.open();
            sharing.idle().endNap();
        }

        @Actor
        public void putter() {
            running.queues.schedule(Token.A, true);
        }

        @Arbiter
        public void woken(I_Result result) {
            result.r1 = signals.get();
        }
    }
}
