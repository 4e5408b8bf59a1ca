package io.skein.internal.sched;

import static io.skein.internal.Interleavings.check;
import static io.skein.internal.Interleavings.together;

import io.skein.internal.Interleavings;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Searching, sleeping and waking under Lincheck's model checker, which tries interleavings one by one. It runs what the
 * runtime runs. docs/proofs.md tells what each test has caught.
 */
class WorkSharingLincheckTest {
    /** Some workers and who was signalled; made anew for each interleaving. */
    private static final class Group {
        final AtomicIntegerArray signalled;
        final WorkSharing sharing;
        final StressWorker[] workers;

        Group(int count) {
            signalled = new AtomicIntegerArray(count);
            sharing = new WorkSharing(count, new SharedQueue(), signalled::getAndIncrement);
            workers = new StressWorker[count];
            for (int place = 0; place < count; place++) {
                workers[place] = new StressWorker(sharing, place);
            }
        }

        /** What a worker's turn does that has nothing of its own: returns whether it found work or is awake to look again. */
        boolean findsWorkOrStaysAwake(int place) {
            StressWorker worker = workers[place];
            Runnable found = worker.idleness.findWork();
            if (found == null) {
                return !worker.fallsAsleep();
            }
            if (worker.idleness.isSearching()) {
                worker.idleness.stopSearching();
            }
            return true;
        }

        boolean isWoken(int place) {
            return signalled.get(place) > 0;
        }
    }

    @Test
    void ofTwoThievesAndTwoVictimsWithOneEachBothThievesFindOne() {
        Interleavings.of(() -> {
            Group group = new Group(4);
            group.workers[0].queues.requeue(Token.A);
            group.workers[1].queues.requeue(Token.B);
            @Nullable Runnable[] found = new Runnable[2];
            together(
                    () -> found[0] = group.workers[2].idleness.findWork(),
                    () -> found[1] = group.workers[3].idleness.findWork());
            check(
                    Token.weight(found[0]) + Token.weight(found[1]) == 11,
                    "a thief gave up before it had tried every worker");
        });
    }

    @Test
    void betweenAWorkerAndAThiefWhatIsInARunQueueComesOutOnce() {
        Interleavings.of(() -> {
            Group group = new Group(2);
            OwnQueues queues = group.workers[0].queues;
            queues.requeue(Token.A);
            @Nullable Runnable[] out = new Runnable[2];
            together(() -> out[0] = queues.next(), () -> out[1] = group.workers[1].idleness.findWork());
            check(Token.weight(out[0]) + Token.weight(out[1]) == 1, "one was lost, or came out twice");
        });
    }

    /** Worker 0 publishes and runs on for ever; two workers come to their end with nothing to run. */
    @Test
    void workIsNotLeftWhileTwoWorkersFallAsleep() {
        Interleavings.of(() -> {
            Group group = new Group(3);
            boolean[] up = new boolean[3];
            together(
                    () -> up[1] = group.findsWorkOrStaysAwake(1),
                    () -> up[2] = group.findsWorkOrStaysAwake(2),
                    () -> group.workers[0].queues.schedule(Token.A, false));
            check(
                    up[1] || up[2] || group.isWoken(1) || group.isWoken(2),
                    "work is there, and everybody who could take it sleeps");
        });
    }

    /** As above, with a slot that its owner does not get to. */
    @Test
    void aLastInSlotIsNotLeftWhileTwoWorkersFallAsleep() {
        Interleavings.of(() -> {
            Group group = new Group(3);
            group.workers[0].busy = true; // so that thieves nap, and do not spin
            boolean[] up = new boolean[3];
            together(
                    () -> up[1] = group.findsWorkOrStaysAwake(1),
                    () -> up[2] = group.findsWorkOrStaysAwake(2),
                    () -> group.workers[0].queues.schedule(Token.A, true));
            check(
                    up[1]
                            || up[2]
                            || group.isWoken(1)
                            || group.isWoken(2)
                            || group.sharing.idle().isAnyNapping(),
                    "work is in a slot, and everybody who could take it sleeps for long");
        });
    }

    /**
     * Worker 1 has a message and wakes by itself at the same time, and worker 0 publishes. While the sender of the message has
     * counted worker 1 in and finds no bit, worker 0 believes that somebody searches. Worker 1 is busy then; worker 2 sleeps.
     */
    @Test
    void workIsNotLeftToASearcherThatThereIsNot() {
        Interleavings.of(() -> {
            Group group = new Group(3);
            group.workers[1].fallsAsleep();
            group.workers[2].fallsAsleep();
            together(
                    () -> group.sharing.wake(1),
                    () -> group.workers[1].idleness.wakeUp(),
                    () -> group.workers[0].queues.schedule(Token.A, false));
            check(
                    group.workers[1].idleness.isSearching() || group.isWoken(2),
                    "work is there, one worker sleeps, and nobody searches");
        });
    }

    /** A worker publishes while the only sleeper wakes by itself, takes the waker for a searcher, and falls asleep again. */
    @Test
    void workIsNotLeftByAWakerThatMissed() {
        Interleavings.of(() -> {
            Group group = new Group(2);
            group.workers[1].fallsAsleep();
            boolean[] up = new boolean[1];
            together(
                    () -> {
                        group.workers[1].idleness.wakeUp();
                        up[0] = group.findsWorkOrStaysAwake(1);
                    },
                    () -> group.workers[0].queues.schedule(Token.A, false));
            check(up[0] || group.isWoken(1), "work is there, and its only taker sleeps on");
        });
    }

    /** Whatever happens at once, every worker that is counted in is there, and none is counted twice. */
    @Test
    void theCountsAreRightAfterEveryRaceForABit() {
        Interleavings.of(() -> {
            Group group = new Group(3);
            group.workers[1].fallsAsleep();
            group.workers[2].fallsAsleep();
            together(
                    () -> group.sharing.wake(1),
                    () -> group.workers[1].idleness.wakeUp(),
                    () -> group.sharing.announce());
            group.workers[2].idleness.wakeUp();
            for (StressWorker worker : group.workers) {
                if (worker.idleness.isSearching()) {
                    worker.idleness.stopSearching();
                }
            }
            IdleWorkers idle = group.sharing.idle();
            boolean allAwake = !idle.shouldWake(1) && !idle.isAsleep(1) && !idle.isAsleep(2);
            check(allAwake && group.signalled.get(1) <= 1 && group.signalled.get(2) <= 1, "somebody is counted wrong");
            group.workers[2].fallsAsleep();
            check(idle.wakeOne(1) == 2 && idle.wakeOne(1) == -1, "somebody is counted wrong");
        });
    }

    /** Worker 1 naps beside the slot of worker 0, which was left to it meanwhile; worker 2 sleeps. */
    @Test
    void aLastInSlotThatIsFilledAsANapEndsWakesASleeper() {
        Interleavings.of(() -> {
            Group group = new Group(3);
            group.workers[0].busy = true;
            group.workers[0].queues.schedule(Token.B, true);
            group.workers[1].searching().fallsAsleep();
            group.workers[0].queues.next();
            group.workers[2].fallsAsleep();
            together(() -> group.workers[1].idleness.wakeUp(), () -> group.workers[0].queues.schedule(Token.A, true));
            check(group.isWoken(1) || group.isWoken(2), "the slot is filled, and nobody was woken for it");
        });
    }

    /** Two announce at once while two sleep: the worker that the first has woken is enough for both. */
    @Test
    void twoAnnouncementsAtOnceWakeOneWorker() {
        Interleavings.of(() -> {
            Group group = new Group(3);
            group.workers[1].fallsAsleep();
            group.workers[2].fallsAsleep();
            together(() -> group.sharing.announce(), () -> group.sharing.announce());
            check(group.signalled.get(1) + group.signalled.get(2) == 1, "none or two were woken");
        });
    }

    /** A worker that stops waits for whoever may still signal it, and then closes its driver. */
    @Test
    void nobodySignalsAWorkerThatHasWaitedForItsSignallers() {
        Interleavings.of(() -> {
            boolean[] state = new boolean[2];
            WorkSharing sharing = new WorkSharing(1, new SharedQueue(), _ -> state[1] = state[0]);
            StressWorker worker = new StressWorker(sharing, 0);
            worker.fallsAsleep();
            together(() -> sharing.wake(0), () -> {
                worker.idleness.wakeUp();
                sharing.awaitSignallers();
                state[0] = true; // closed
            });
            check(!state[1], "a driver was signalled that is closed");
        });
    }

    /** Two workers fall asleep at once: both have their bits, and both can be woken. */
    @Test
    void twoThatFallAsleepAtOnceCanBothBeWoken() {
        Interleavings.of(() -> {
            Group group = new Group(3);
            together(() -> group.workers[1].fallsAsleep(), () -> group.workers[2].fallsAsleep());
            group.sharing.wake(1);
            group.sharing.wake(2);
            check(group.isWoken(1) && group.isWoken(2), "a bit was lost");
        });
    }
}
