package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.skein.internal.io.Driver;
import io.skein.internal.time.Timekeeper;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The sleep of a coroutine that stands in for its worker, one interleaving a test, as {@link WorkSharingTest} has them for the worker's own.
 * docs/proofs.md tells which test fails when a step is left out.
 */
@Timeout(30)
class SleepInPlaceTest {
    private static final int WORKERS = 3;
    private static final int HELD = 1;
    private static final Runnable WORK = new Numbered(1);

    private final List<Integer> signalled = new ArrayList<>();
    private final WorkSharing sharing = new WorkSharing(WORKERS, new SharedQueue(), signalled::add);
    private final List<SharingWorker> workers = SharingWorker.group(sharing, WORKERS);

    /** The worker in whose place a coroutine sleeps. */
    private final SharingWorker held = workers.get(HELD);

    /** How the sleep is ended by whoever has sent the worker something, or has ended the coroutine's wait. */
    @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
    enum Waking {
        OF_THE_WORKER(WorkSharing::wake),
        OF_THE_COROUTINE(WorkSharing::wakeStandIn);

        private final Way way;

        Waking(Way way) {
            this.way = way;
        }

        @FunctionalInterface
        private interface Way {
            void wake(WorkSharing sharing, int place);
        }
    }

    private void wake(Waking waking) {
        waking.way.wake(sharing, HELD);
    }

    /** Sleeps in place of the worker for as long as nobody ends that; something else happens right after the look at the wait. */
    private void sleep(boolean waiting, Runnable afterTheLook) {
        Timekeeper.Wait wait = () -> {
            afterTheLook.run();
            return waiting;
        };
        held.idleness.sleepInPlace(wait, Driver.FOREVER);
    }

    private void sleep() {
        sleep(true, () -> {});
    }

    @Test
    void aWaitThatEndsBeforeTheMarkIsSetIsSeen() {
        sleep(false, () -> {});

        assertThat(held.sleeps).as("it does not sleep").containsExactly(0L);
    }

    @Test
    void aMessageThatIsSentBeforeTheMarkIsSetIsSeen() {
        held.hasMessage = true;

        sleep();

        assertThat(held.sleeps).as("it does not sleep").containsExactly(0L);
    }

    @ParameterizedTest
    @EnumSource
    void whatComesAfterTheLookEndsTheSleep(Waking waking) {
        sleep(true, () -> wake(waking));

        assertThat(held.sleeps).containsExactly(Driver.FOREVER);
        assertThat(signalled).containsExactly(HELD);
    }

    @ParameterizedTest
    @EnumSource
    void whatComesDuringTheSleepEndsIt(Waking waking) {
        held.whileAsleep = () -> wake(waking);

        sleep();

        assertThat(signalled).containsExactly(HELD);
    }

    @ParameterizedTest
    @EnumSource
    void oneSignalIsEnough(Waking waking) {
        held.whileAsleep = () -> {
            wake(waking);
            wake(waking);
        };

        sleep();

        assertThat(signalled).containsExactly(HELD);
    }

    @ParameterizedTest
    @EnumSource
    void eachSleepCanBeEnded(Waking waking) {
        held.whileAsleep = () -> wake(waking);
        sleep();
        held.whileAsleep = () -> wake(waking);
        sleep();

        assertThat(signalled).containsExactly(HELD, HELD);
    }

    @ParameterizedTest
    @EnumSource
    void whoDoesNotSleepAnyMoreIsNotSignalled(Waking waking) {
        sleep();

        wake(waking);

        assertThat(signalled).isEmpty();
    }

    /** Its driver may be closed when somebody looks at the mark. */
    @ParameterizedTest
    @EnumSource
    void whoseDriveHasFailedIsNotSignalled(Waking waking) {
        held.whileAsleep = () -> {
            throw new IllegalStateException("on purpose");
        };
        assertThatIllegalStateException().isThrownBy(this::sleep);

        wake(waking);

        assertThat(signalled).isEmpty();
    }

    @Test
    void theSleepEndsWhenTheNextTimerIsDue() {
        held.nanosToNextTimer = 5;

        sleep();

        assertThat(held.sleeps).containsExactly(5L);
    }

    @Test
    void theSleepIsNoLongerThanWasAskedFor() {
        held.idleness.sleepInPlace(() -> true, 7);

        assertThat(held.sleeps).containsExactly(7L);
    }

    @ParameterizedTest
    @EnumSource
    void theSleepOfAnotherWorkersCoroutineGoesOn(Waking waking) {
        SharingWorker other = workers.get(2);
        other.whileAsleep = this::sleep;
        held.whileAsleep = () -> wake(waking);

        other.idleness.sleepInPlace(() -> true, Driver.FOREVER);

        assertThat(signalled).containsExactly(HELD);
    }

    /** It could not run the work. */
    @Test
    void workThatAnyWorkerMayTakeWakesAWorkerThatSleepsAndNotTheCoroutine() {
        held.whileAsleep = () -> workers.get(2).idleness.sleep();
        workers.get(2).whileAsleep = () -> {
            sharing.publish(WORK);
            workers.getFirst().queues.schedule(WORK, false);
        };

        sleep();

        assertThat(signalled).containsExactly(2);
    }

    @Test
    void whenNobodyElseSleepsWorkThatAnyWorkerMayTakeWakesNobody() {
        held.whileAsleep = () -> sharing.publish(WORK);

        sleep();

        assertThat(signalled).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void theWorkerIsNotTakenForASleeperOfItsOwn(Waking waking) {
        held.whileAsleep = () -> {
            assertThat(sharing.idle().isAsleep(HELD)).isFalse();
            wake(waking);
        };

        sleep();

        assertThat(sharing.idle().wakeOne(1)).as("all are awake").isEqualTo(-1);
        assertThat(sharing.idle().startSearching()).as("none searches").isTrue();
    }

    @Test
    void whoSleepsInPlaceOfAWorkerThatFollowsManyIsFoundByItsPlace() {
        int last = 129;
        WorkSharing many = new WorkSharing(last + 1, new SharedQueue(), signalled::add);
        many.standIn(last);

        List<Consumer<Integer>> ways = List.of(many::wake, many::wakeStandIn);
        for (int place = 0; place < last; place++) {
            for (Consumer<Integer> way : ways) {
                way.accept(place);
            }
        }
        assertThat(signalled).isEmpty();

        many.wakeStandIn(last);
        assertThat(signalled).containsExactly(last);
    }
}
