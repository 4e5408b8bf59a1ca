package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.skein.Await;
import io.skein.internal.io.Driver;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a worker without work does and counts, and how it waits for those who signal it. {@link WorkSharingTest} has the races. */
@Timeout(60)
class IdlenessTest {
    private static final Runnable WORK = new Numbered(1);
    private static final int WORKERS = 4;

    private final List<Integer> signalled = new ArrayList<>();
    private IntConsumer onSignal = signalled::add;
    private final SharedQueue global = new SharedQueue();
    private final WorkSharing sharing = new WorkSharing(WORKERS, global, place -> onSignal.accept(place));
    private final List<SharingWorker> workers = SharingWorker.group(sharing, WORKERS);
    private final SharingWorker sleeper = workers.get(1);

    @Test
    void aSleepIsToldBeforeAndAfterAndCounted() {
        sleeper.idleness.sleep();

        assertThat(sleeper.steps).containsExactly("goes to sleep", "drive", "woke");
        assertThat(sleeper.counters.sleeps()).isEqualTo(1);
    }

    @Test
    void onlyASleepThatAnotherEndsCountsAsAWakeUp() {
        sleeper.idleness.sleep();
        assertThat(sleeper.counters.wakeUps()).isZero();

        sleeper.whileAsleep = () -> sharing.wake(1);
        sleeper.idleness.sleep();
        assertThat(sleeper.counters.wakeUps()).isEqualTo(1);
    }

    @Test
    void aThiefDoesNotCountItsOwnQueuesAmongTheOthers() {
        Numbered.range(10, 13).forEach(sleeper.queues::arrive);
        workers.get(2).queues.schedule(new Numbered(1), false);
        Numbered.range(2, 4).forEach(runnable -> workers.get(3).queues.schedule(runnable, false));

        assertThat(sleeper.idleness.findWork()).isEqualTo(new Numbered(2));
    }

    @Test
    void aSearchThatFindsNothingIsNoTheft() {
        assertThat(sleeper.idleness.findWork()).isNull();

        assertThat(sleeper.counters.steals()).isZero();
    }

    @Test
    void itsOwnLastInSlotIsNoneThatAWorkerLooksInto() {
        sleeper.queues.schedule(WORK, true);

        assertThat(sharing.withLastIn(1, 0)).isEqualTo(-1);
        assertThat(sharing.withLastIn(2, 0)).isEqualTo(1);
    }

    @Test
    void betweenTwoOfItsOwnAWorkerTakesOneOfTheGlobalQueue() {
        Numbered.range(0, 2).forEach(global::take);

        assertThat(sharing.pollGlobal()).isEqualTo(new Numbered(0));
        assertThat(global.size()).isEqualTo(1);
    }

    @Test
    void aWorkerThatIsAloneHasNoThievesAndDoesNotSearch() {
        WorkSharing own = new WorkSharing(1, global, signalled::add);
        SharingWorker alone = new SharingWorker(own, 0);

        assertThat(own.hasThieves()).isFalse();
        assertThat(alone.idleness.findWork()).isNull();
        assertThat(alone.idleness.isSearching()).isFalse();
        assertThat(sharing.hasThieves()).isTrue();
    }

    @Test
    void whoMeetsNoLastInSlotAnyMoreDoesNotNap() {
        long[] marks = new long[1];
        workers.getFirst().runMarks = () -> marks[0]++;
        workers.getFirst().queues.schedule(WORK, true);
        assertThat(sleeper.idleness.findWork()).isNull();
        workers.getFirst().queues.next();

        assertThat(sleeper.idleness.findWork()).isNull();
        sleeper.idleness.sleep();

        assertThat(sleeper.sleeps).containsExactly(Driver.FOREVER);
    }

    @Test
    void aSleepThatIsNoNapDoesNotEndOne() {
        sleeper.idleness.sleep();

        assertThat(sharing.idle().isAnyNapping()).isFalse();
        sharing.idle().startNap();
        assertThat(sharing.idle().isAnyNapping()).isTrue();
    }

    // Signallers.

    @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
    enum Waking {
        ANNOUNCE(sharing -> sharing.idle().fallAsleep(1, false), WorkSharing::announce),
        WAKE(sharing -> sharing.idle().fallAsleep(1, false), sharing -> sharing.wake(1)),
        WAKE_STAND_IN(sharing -> sharing.standIn(1), sharing -> sharing.wakeStandIn(1));

        private final Consumer<WorkSharing> sleep;
        private final Consumer<WorkSharing> how;

        Waking(Consumer<WorkSharing> sleep, Consumer<WorkSharing> how) {
            this.sleep = sleep;
            this.how = how;
        }
    }

    /** One that did not wait would have closed the driver that is signalled. */
    @ParameterizedTest
    @EnumSource
    void whoEndsWaitsUntilNobodyIsAboutToSignalIt(Waking waking) throws InterruptedException {
        Thread ending = new Thread(sharing::awaitSignallers, "ending");
        onSignal = _ -> {
            ending.start();
            Await.untilInside("awaitSignallers", ending);
        };
        waking.sleep.accept(sharing);

        waking.how.accept(sharing);

        Await.untilEnded("the wait", ending);
    }

    @ParameterizedTest
    @EnumSource
    void aSignalThatFailsIsNotWaitedFor(Waking waking) {
        onSignal = _ -> {
            throw new IllegalStateException("on purpose");
        };
        waking.sleep.accept(sharing);

        assertThatIllegalStateException().isThrownBy(() -> waking.how.accept(sharing));

        Thread ending = new Thread(sharing::awaitSignallers, "ending");
        ending.start();
        Await.untilEnded("the wait", ending);
    }
}
