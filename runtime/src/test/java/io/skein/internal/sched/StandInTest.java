package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.DriverMode;
import io.skein.DriverModeTest;
import io.skein.internal.Suspension;
import io.skein.internal.io.Driver;
import io.skein.internal.io.Operation;
import io.skein.internal.loom.Unparking;
import io.skein.internal.time.TimedPark;
import io.skein.internal.time.Timekeeper;
import io.skein.internal.time.Timer;
import io.skein.time.NativeFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A coroutine that cannot give way does its worker's part, and is woken while it does. Nobody comes to the rescue here: the watchdog has
 * ended, and a sleep is without a bound. So a wake-up or a permit that is lost holds the coroutine for ever. {@link SleepInPlaceTest} has
 * the interleavings of the sleep.
 */
@DriverMode.Each
class StandInTest extends DriverModeTest {
    private static final Timekeeper.Wait ENDLESS = () -> true;

    StandInTest(DriverMode mode) {
        super(mode);
    }

    /** Runs on a worker, which is handed in. */
    @FunctionalInterface
    private interface Code {
        void run(Worker worker) throws Exception;
    }

    private Worker[] workers() {
        return SchedulerAccess.of(skein).crew().workers();
    }

    @BeforeEach
    void endWatchdog() {
        SchedulerAccess.of(skein).watchdog().stopAndJoin();
    }

    /** With a permit of the worker's thread, which a lock of the JDK may have used up by then. */
    private Coroutine<?> spawnPinned(Code code) {
        return skein.spawnOn(
                0,
                () -> NativeFrame.run(() -> {
                    Worker worker = here();
                    LockSupport.unpark(worker.thread());
                    code.run(worker);
                }));
    }

    private void runPinned(Code code) throws Exception {
        expectEnd(spawnPinned(code));
    }

    private void run(Code code) throws Exception {
        expectEnd(skein.spawnOn(0, () -> code.run(here())));
    }

    private static Worker here() {
        Worker here = Worker.current();
        if (here == null) {
            throw new AssertionError("no worker carries a coroutine");
        }
        return here;
    }

    private void expectEnd(Coroutine<?> coroutine) throws Exception {
        try {
            coroutine.get(20, TimeUnit.SECONDS);
        } finally { // who was not woken must not keep the runtime from closing
            for (Worker worker : workers()) {
                LockSupport.unpark(worker.thread());
                worker.signal();
            }
        }
    }

    /** Does something on a thread of its own, and holds the worker meanwhile. */
    private static void elsewhere(Runnable action) {
        Thread other = Thread.ofPlatform().start(action);
        while (other.isAlive()) {
            Thread.onSpinWait();
        }
    }

    /** A wait of the thread that makes it. */
    private static final class Waiting extends Suspension {
        Waiting() {
            begin();
        }

        void awaitEnd() {
            awaitUninterruptibly();
        }
    }

    /** A wait, and what happens right after the first look at it that its waiter takes to fall asleep. */
    private static final class Observed implements Timekeeper.Wait {
        private final Timekeeper.Wait wait;
        private final BooleanSupplier fallsAsleep;
        private final Runnable action;
        private boolean done;

        Observed(Timekeeper.Wait wait, BooleanSupplier fallsAsleep, Runnable action) {
            this.wait = wait;
            this.fallsAsleep = fallsAsleep;
            this.action = action;
        }

        @Override
        public boolean isWaiting() {
            boolean waiting = wait.isWaiting();
            if (!done && fallsAsleep.getAsBoolean()) {
                done = true;
                action.run();
            }
            return waiting;
        }
    }

    /** Stands in until something has happened inside of a drive. On a busy machine the time to stand in may be over before. */
    private static void serve(Worker worker, Timekeeper.Wait wait, Runnable inDrive) {
        StandIn standIn = worker.standIn();
        Observed observed = new Observed(wait, standIn::isServing, inDrive);
        while (!observed.done && !Thread.currentThread().isInterrupted()) {
            standIn.serve(observed);
        }
    }

    /** A wait that is over when its waiter has looked after it. */
    private static final class Neglected implements Timekeeper.Wait {
        private boolean waiting = true;

        @Override
        public boolean isWaiting() {
            return waiting;
        }

        @Override
        public void look() {
            waiting = false;
        }
    }

    /** An operation of no driver: who starts it fails, and so it ends. */
    private static final class Unstartable extends Operation {
        Unstartable() {
            begin();
        }
    }

    // Waking.

    @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
    enum Waking {
        RESUMED((_, _, wait) -> wait.resume()),
        UNPARKED((_, thread, _) -> Unparking.unpark(thread)),
        WORKER_WOKEN((worker, _, _) -> worker.wake());

        private final Way way;

        Waking(Way way) {
            this.way = way;
        }

        @FunctionalInterface
        private interface Way {
            void wake(Worker worker, Thread thread, Waiting wait);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoIsWokenAfterItsLastLookDoesNotSleepOn(Waking waking) throws Exception {
        runPinned(worker -> {
            Waiting wait = new Waiting();
            Thread thread = Thread.currentThread();
            Observed observed =
                    new Observed(wait, () -> true, () -> elsewhere(() -> waking.way.wake(worker, thread, wait)));

            worker.driveInPlace(observed, Driver.FOREVER);
        });
    }

    @Test
    void aWaitThatEndedBeforeIsSeen() throws Exception {
        runPinned(worker -> {
            Waiting wait = new Waiting();
            elsewhere(wait::resume);

            worker.driveInPlace(wait, Driver.FOREVER);
        });
    }

    @Test
    void aMessageIsRead() throws Exception {
        runPinned(worker -> {
            List<Unstartable> sent = send(worker, 1);

            worker.driveInPlace(ENDLESS, 0);

            assertThat(sent).noneMatch(Operation::isWaiting);
        });
    }

    @Test
    void messagesThatAreLeftOverKeepItAwake() throws Exception {
        runPinned(worker -> {
            List<Unstartable> sent = send(worker, Worker.RUNS_PER_TURN + 1);

            worker.driveInPlace(ENDLESS, Driver.FOREVER);

            assertThat(sent).filteredOn(Operation::isWaiting).hasSize(1);
        });
    }

    /** It is carried out when all messages have been read that may have been sent before it. */
    @Test
    void aCancelThatIsLeftOverKeepsItAwake() throws Exception {
        runPinned(worker -> {
            List<Unstartable> sent = send(worker, Worker.RUNS_PER_TURN);
            elsewhere(() -> worker.lane().cancel(sent.getFirst(), 0));

            worker.driveInPlace(ENDLESS, Driver.FOREVER);

            assertThat(worker.hasMessages()).isTrue();
        });
    }

    /** Sends so many operations to start. */
    private static List<Unstartable> send(Worker worker, int count) {
        List<Unstartable> sent = new ArrayList<>();
        elsewhere(() -> {
            for (int i = 0; i < count; i++) {
                Unstartable operation = new Unstartable();
                sent.add(operation);
                worker.lane().start(operation);
            }
        });
        return sent;
    }

    @Test
    void aTimerEndsTheSleepAndIsFired() throws Exception {
        runPinned(worker -> {
            Waiting wait = new Waiting();
            arm(worker, wait);
            while (wait.isWaiting() && !Thread.currentThread().isInterrupted()) {
                worker.driveInPlace(wait, Driver.FOREVER);
            }
            assertThat(wait.isWaiting()).isFalse();
        });
    }

    /** Ends a wait soon, by a timer that nobody but the worker's thread can fire. */
    private static void arm(Worker worker, Waiting wait) {
        worker.wheel()
                .arm(
                        new Timer() {
                            @Override
                            protected void fire() {
                                wait.resume();
                            }
                        },
                        System.nanoTime() + 1_000_000);
    }

    // The permit of the worker's thread.

    /** A wait that the worker's thread alone can end: if it parks, nobody does. */
    private static void awaitTimer(Worker worker) {
        Waiting wait = new Waiting();
        arm(worker, wait);
        wait.awaitEnd();
    }

    @Test
    void aWaitDoesNotParkTheWorker() throws Exception {
        runPinned(StandInTest::awaitTimer);
    }

    @Test
    void manyWaitsInARowDoNotParkTheWorker() throws Exception {
        runPinned(worker -> {
            for (int i = 0; i < 5; i++) {
                awaitTimer(worker);
            }
        });
    }

    @Test
    void aTimedParkGivesThePermitBackThatOtherCodeHasUsedUp() throws Exception {
        runPinned(worker -> {
            LockSupport.park();
            new TimedPark(System.nanoTime() + 1_000_000, null).park();
            awaitTimer(worker);
        });
    }

    @Test
    void aTimedParkThatIsOverAtOnceGivesThePermitBackToo() throws Exception {
        runPinned(worker -> {
            new TimedPark(System.nanoTime(), null).park();
            awaitTimer(worker);
        });
    }

    @Test
    void whoTriesToGiveWayIsNotParkedThoughThePermitWasUsedUp() throws Exception {
        runPinned(worker -> {
            LockSupport.park();
            assertThat(worker.standIn().giveWay()).isFalse();
        });
    }

    @Test
    void whoCouldNotGiveWayHasThePermitBack() throws Exception {
        runPinned(worker -> {
            assertThat(worker.standIn().giveWay()).isFalse();
            LockSupport.park();
        });
    }

    @Test
    void whoHasStoodInHasThePermitBackThoughTheDriverParked() throws Exception {
        runPinned(worker -> {
            AtomicBoolean waits = new AtomicBoolean(true);
            worker.standIn().giveWay();
            serve(worker, waits::get, () -> {
                LockSupport.park();
                waits.set(false);
            });
            LockSupport.park();
        });
    }

    // To give way, or not.

    @Test
    void whoIsPinnedCannotGiveWayThoughItHasAPermitOfItsOwn() throws Exception {
        runPinned(worker -> {
            LockSupport.unpark(Thread.currentThread());
            assertThat(worker.standIn().giveWay()).isFalse();
            assertThat(worker.standIn().isPinned()).isTrue();
        });
    }

    @Test
    void whoIsNotPinnedGivesWayThoughItHasAPermitOfItsOwn() throws Exception {
        run(worker -> {
            LockSupport.unpark(Thread.currentThread());
            assertThat(worker.standIn().giveWay()).isTrue();
        });
        run(worker -> assertThat(worker.standIn().isPinned()).isFalse());
    }

    // Standing in.

    @Test
    void whoStandsInLooksAfterItsWait() throws Exception {
        runPinned(worker -> {
            Neglected wait = new Neglected();
            while (wait.isWaiting() && !Thread.currentThread().isInterrupted()) {
                worker.standIn().serve(wait);
            }
            assertThat(wait.isWaiting()).isFalse();
        });
    }

    /** It may be want of memory that keeps it there. */
    @Test
    void whoStandsInTriesAgainToGiveWayThoughItsWaitGoesOn() throws Exception {
        runPinned(worker -> {
            worker.standIn().serve(ENDLESS);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void whoIsInterruptedDoesNotStandIn() throws Exception {
        runPinned(worker -> {
            Neglected wait = new Neglected();
            Thread.currentThread().interrupt();
            worker.standIn().serve(wait);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(wait.isWaiting()).isTrue();
        });
    }

    /** The coroutine could leave its worker: the JDK lets those stand in, too, for whom it finds no memory. */
    @Test
    void whoStandsInStaysOnItsWorker() throws Exception {
        run(worker -> {
            AtomicBoolean waits = new AtomicBoolean(true);
            AtomicBoolean left = new AtomicBoolean();
            var _ = skein.spawn(() -> {}); // somebody to give way to
            long runs = worker.runs();

            serve(worker, waits::get, () -> {
                waits.set(false);
                worker.budgetSpent();
                left.set(worker.leaveToBlock());
            });

            assertThat(waits).isFalse();
            assertThat(left).isFalse();
            assertThat(worker.runs()).isEqualTo(runs);
            assertThat(worker.standIn().isServing()).isFalse();
        });
    }

    // Failures of the worker's part.

    @Test
    void whatFailsInTheWorkersPartIsNoFailureOfTheWaitAndTheWaiterParksForGood() throws Exception {
        expectUnheardFailures();
        AtomicBoolean spawned = new AtomicBoolean();
        AtomicBoolean tries = new AtomicBoolean();
        AtomicInteger looks = new AtomicInteger();
        Coroutine<?> pinned = spawnPinned(worker -> {
            while (!spawned.get()) { // who wakes a worker that has a selector gives it a permit
                Thread.onSpinWait();
            }
            Timekeeper.Wait wait = () -> {
                if (worker.standIn().isServing()) {
                    looks.incrementAndGet();
                }
                return true;
            };
            serve(worker, wait, StandInTest::fail);
            assertThat(looks).as("it drives no more").hasValue(1);
            LockSupport.unpark(worker.thread()); // the report of the failure may have waited for a lock
            LockSupport.park(); // takes the permit
            tries.set(true);
            assertThat(worker.standIn().giveWay()).isFalse();
            awaitTimer(worker); // by then it is forgotten
        });
        spawned.set(true);
        Await.until("it tries to give way", tries::get);
        Await.untilWaiting(pinned);

        LockSupport.unpark(pinned.thread());

        expectEnd(pinned);
    }

    @Test
    void aFailureThatComesWithTheEndOfTheWaitIsForgotten() throws Exception {
        expectUnheardFailures();
        runPinned(worker -> {
            AtomicBoolean waits = new AtomicBoolean(true);
            serve(worker, waits::get, () -> {
                waits.set(false);
                fail();
            });
            awaitTimer(worker);
        });
    }

    private static void fail() {
        throw new IllegalStateException("on purpose");
    }
}
