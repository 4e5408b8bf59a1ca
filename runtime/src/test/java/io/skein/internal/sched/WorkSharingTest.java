package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.internal.io.Driver;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The steps of the table "Sleep and wake" in docs/architecture.md, one interleaving a test: the real queues, the real idle set
 * and the real order of steps, on one thread. docs/proofs.md tells which test fails when a step is left out.
 */
@Timeout(30)
class WorkSharingTest {
    private static final Runnable WORK = new Numbered(1);
    private static final int WORKERS = 4;

    private final List<Integer> signalled = new ArrayList<>();
    private IntConsumer onSignal = _ -> {};
    private final SharedQueue global = new SharedQueue();
    private final WorkSharing sharing = new WorkSharing(WORKERS, global, place -> {
        signalled.add(place);
        onSignal.accept(place);
    });
    private final List<SharingWorker> workers = SharingWorker.group(sharing, WORKERS);

    /** The worker that is to find the work, or to be woken for it. */
    private final SharingWorker sleeper = workers.get(1);

    /** Where a test publishes work that any worker may take. Worker 0 publishes or is given it, and is awake. */
    @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
    enum Publication {
        RUN_QUEUE((sharing, publisher) -> publisher.queues.schedule(WORK, false)),
        LAST_IN_SLOT((sharing, publisher) -> publisher.queues.schedule(WORK, true)),
        ARRIVALS((sharing, publisher) -> publisher.queues.arrive(WORK)),
        GLOBAL_QUEUE((sharing, publisher) -> sharing.publish(WORK)),
        TWO_WOKEN_BY_A_DRIVE((sharing, publisher) -> {
            publisher.queues.startGathering();
            publisher.queues.schedule(WORK, false);
            publisher.queues.schedule(WORK, false);
            publisher.queues.stopGathering();
        });

        private final BiConsumer<WorkSharing, SharingWorker> how;

        Publication(BiConsumer<WorkSharing, SharingWorker> how) {
            this.how = how;
        }
    }

    private void publish(Publication publication) {
        publication.how.accept(sharing, workers.getFirst());
    }

    private int visible() {
        return global.size()
                + workers.stream()
                        .mapToInt(worker -> worker.queues.backlog().size())
                        .sum();
    }

    private void search(SharingWorker worker) {
        assertThat(worker.idleness.findWork()).isNull();
        assertThat(worker.idleness.isSearching()).isTrue();
    }

    /** What a worker's turn does that has nothing of its own: it takes what it finds, or sleeps. */
    private @Nullable Runnable turn(SharingWorker worker) {
        Runnable found = worker.idleness.findWork();
        if (found == null) {
            worker.idleness.sleep();
        } else if (worker.idleness.isSearching()) {
            worker.idleness.stopSearching();
        }
        return found;
    }

    // The sleeper's steps against the publisher's.

    @ParameterizedTest
    @EnumSource
    void workThatIsPublishedBeforeTheLastSearcherSetItsBitWakesNobodyAndIsFoundByItsSecondLook(Publication where) {
        workers.get(3).idleness.sleep();
        search(sleeper);
        sleeper.beforeTheBit = () -> publish(where);

        sleeper.idleness.sleep();

        assertThat(signalled).as("a worker searched").isEmpty();
        assertThat(sleeper.sleeps).as("it does not sleep").containsExactly(0L);
        assertThat(turn(sleeper)).as("it finds the work").isEqualTo(WORK);
    }

    @ParameterizedTest
    @EnumSource
    void workThatIsPublishedAfterTheBitWasSetWakesTheSleeper(Publication where) {
        sleeper.beforeTheLook = () -> publish(where);
        search(sleeper);

        sleeper.idleness.sleep();

        assertThat(signalled).containsExactly(1);
        assertThat(sleeper.idleness.isSearching()).as("who is woken searches").isTrue();
        assertThat(turn(sleeper)).isEqualTo(WORK);
    }

    @ParameterizedTest
    @EnumSource
    void workThatIsPublishedDuringTheSleepWakesTheSleeper(Publication where) {
        sleeper.whileAsleep = () -> publish(where);

        sleeper.idleness.sleep();

        assertThat(sleeper.sleeps).containsExactly(Driver.FOREVER);
        assertThat(signalled).containsExactly(1);
        assertThat(sleeper.counters.wakeUps()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void workIsPublishedBeforeAnybodyIsWokenForIt(Publication where) {
        List<Integer> seen = new ArrayList<>();
        onSignal = _ -> seen.add(visible());
        sleeper.whileAsleep = () -> publish(where);

        sleeper.idleness.sleep();

        assertThat(seen).hasSize(1).doesNotContain(0);
    }

    /** It does not search, because half of the workers did; when it falls asleep none does any more. */
    @ParameterizedTest
    @EnumSource
    void whoFallsAsleepWithoutHavingSearchedLooksEverywhereIfNobodySearches(Publication where) {
        search(workers.get(2));
        search(workers.get(3));
        assertThat(sleeper.idleness.findWork()).isNull();
        assertThat(sleeper.idleness.isSearching())
                .as("half of the workers search")
                .isFalse();
        sleeper.beforeTheBit = () -> {
            publish(where); // and is left to those who search
            workers.get(2).idleness.stopSearching();
            workers.get(3).idleness.stopSearching();
        };

        sleeper.idleness.sleep();

        assertThat(signalled).isEmpty();
        assertThat(sleeper.sleeps).containsExactly(0L);
    }

    @Test
    void aSearcherThatIsNotTheLastLeavesTheOthersQueuesToTheRest() {
        SharingWorker last = workers.get(2);
        search(sleeper);
        search(last);
        sleeper.beforeTheBit = () -> publish(Publication.RUN_QUEUE);

        sleeper.idleness.sleep();
        assertThat(sleeper.sleeps).containsExactly(Driver.FOREVER);
        assertThat(signalled).isEmpty();

        last.idleness.sleep();
        assertThat(last.sleeps).as("the last one looks").containsExactly(0L);
    }

    @Test
    void aSearcherThatIsNotTheLastLooksAtTheGlobalQueueAllTheSame() {
        search(sleeper);
        search(workers.get(2));
        sleeper.beforeTheBit = () -> publish(Publication.GLOBAL_QUEUE);

        sleeper.idleness.sleep();

        assertThat(sleeper.sleeps).containsExactly(0L);
    }

    @Test
    void theWorkerAtTheFirstPlaceIsSignalledToo() {
        workers.getFirst().whileAsleep = () -> workers.get(2).queues.schedule(WORK, false);

        workers.getFirst().idleness.sleep();

        assertThat(signalled).containsExactly(0);
    }

    // Work for one worker alone.

    private void send() {
        sleeper.hasMessage = true;
        sharing.wake(1);
    }

    @Test
    void aMessageThatIsSentBeforeTheBitIsSetIsSeenByTheSleeper() {
        sleeper.beforeTheBit = this::send;

        sleeper.idleness.sleep();

        assertThat(signalled).isEmpty();
        assertThat(sleeper.sleeps).containsExactly(0L);
    }

    @Test
    void aMessageThatIsSentAfterTheBitWasSetWakesThatWorkerThoughAnotherSearches() {
        workers.get(3).idleness.sleep();
        search(workers.get(2));
        sleeper.whileAsleep = this::send;

        sleeper.idleness.sleep();

        assertThat(signalled).containsExactly(1);
    }

    @Test
    void aCoroutineThatIsSentToASleepingWorkerIsThereWhenThatWorkerIsWokenThoughAnotherSearches() {
        List<Integer> seen = new ArrayList<>();
        onSignal = _ -> seen.add(visible());
        search(workers.get(2));
        sleeper.whileAsleep = () -> sleeper.queues.arrive(WORK);

        sleeper.idleness.sleep();

        assertThat(signalled).containsExactly(1);
        assertThat(seen).containsExactly(1);
    }

    @Test
    void aCoroutineThatIsSentToABusyWorkerWakesAFreeOne() {
        sleeper.whileAsleep = () -> workers.get(2).queues.arrive(WORK);

        sleeper.idleness.sleep();

        assertThat(signalled).containsExactly(1);
        assertThat(turn(sleeper)).isEqualTo(WORK);
    }

    @Test
    void whoIsToldToStopAsItFallsAsleepDoesNotSleep() {
        sleeper.beforeTheLook = () -> sleeper.stopping = true;
        assertThat(sleeper.idleness.sleep()).isTrue();
        assertThat(sleeper.sleeps).containsExactly(0L);

        assertThat(sleeper.idleness.sleep()).as("the last turn").isFalse();
    }

    // How many are woken.

    @ParameterizedTest
    @EnumSource
    void whileSomebodySearchesNobodyIsWoken(Publication where) {
        search(workers.get(2));
        sleeper.whileAsleep = () -> publish(where);

        sleeper.idleness.sleep();

        assertThat(signalled).isEmpty();
        assertThat(sleeper.idleness.isSearching()).as("it woke by itself").isFalse();
    }

    @Test
    void twoPublicationsWakeOneWorkerUntilThatHasFoundSomething() {
        sleeper.whileAsleep = () -> {
            workers.get(2).whileAsleep = () -> {
                publish(Publication.RUN_QUEUE);
                publish(Publication.RUN_QUEUE);
            };
            workers.get(2).idleness.sleep();
        };

        sleeper.idleness.sleep();

        assertThat(signalled).hasSize(1);
    }

    @Test
    void theLastSearcherThatFindsWorkWakesTheNext() {
        search(sleeper);
        workers.get(2).whileAsleep = () -> {
            publish(Publication.RUN_QUEUE);
            assertThat(signalled).isEmpty();
            assertThat(turn(sleeper)).isEqualTo(WORK);
        };

        workers.get(2).idleness.sleep();

        assertThat(signalled).containsExactly(2);
    }

    @Test
    void aSearcherThatFindsWorkWhileAnotherSearchesWakesNobody() {
        search(sleeper);
        search(workers.get(3));
        workers.get(2).whileAsleep = () -> {
            publish(Publication.RUN_QUEUE);
            assertThat(turn(sleeper)).isEqualTo(WORK);
        };

        workers.get(2).idleness.sleep();

        assertThat(signalled).isEmpty();
    }

    @Test
    void whatADriveWakesIsAnnouncedOnceAndAfterIt() {
        sleeper.whileAsleep = () -> {
            workers.getFirst().queues.startGathering();
            workers.getFirst().queues.schedule(WORK, false);
            workers.getFirst().queues.schedule(WORK, false);
            assertThat(signalled).as("during the drive").isEmpty();
            workers.getFirst().queues.stopGathering();
        };

        sleeper.idleness.sleep();

        assertThat(signalled).containsExactly(1);
    }

    @Test
    void theOnlyOneThatADriveWakesIsLeftToItsWorker() {
        sleeper.whileAsleep = () -> {
            workers.getFirst().queues.startGathering();
            workers.getFirst().queues.schedule(WORK, false);
            workers.getFirst().queues.stopGathering();
        };

        sleeper.idleness.sleep();

        assertThat(signalled).isEmpty();
    }

    @Test
    void afterManySleepsOfEachKindTheCountsAreAsAtFirst() {
        for (int round = 0; round < 100; round++) {
            sleeper.whileAsleep = round % 2 == 0 ? this::send : () -> {};
            sleeper.idleness.sleep();
            sleeper.hasMessage = false;
            if (sleeper.idleness.isSearching()) {
                sleeper.idleness.stopSearching();
            }
        }
        sharing.announce();

        assertThat(signalled).as("by messages only").hasSize(50);
        assertThat(sharing.idle().shouldWake(1)).as("all are awake").isFalse();
        search(workers.get(2));
        search(workers.get(3));
        assertThat(sharing.idle().startSearching()).as("half of them search").isFalse();
    }

    // The length of a sleep.

    @Test
    void aSleepEndsWhenTheNextTimerIsDue() {
        sleeper.nanosToNextTimer = 1_234_567;

        sleeper.idleness.sleep();

        assertThat(sleeper.sleeps).containsExactly(1_234_567L);
    }

    // Thieves.

    static Stream<Integer> otherPlaces() {
        return IntStream.of(0, 2, 3).boxed();
    }

    @ParameterizedTest
    @MethodSource("otherPlaces")
    void aThiefFindsTheOnlyWorkThereIsWhereverItIs(int victim) {
        for (int round = 0; round < 20; round++) {
            workers.get(victim).queues.schedule(WORK, false);
            assertThat(turn(sleeper)).as("in a run queue").isEqualTo(WORK);
            workers.get(victim).queues.arrive(WORK);
            assertThat(turn(sleeper)).as("among arrivals").isEqualTo(WORK);
            workers.get(victim).queues.schedule(WORK, true);
            assertThat(turn(sleeper)).as("in a last-in slot").isEqualTo(WORK);
        }
        assertThat(sleeper.counters.steals()).isEqualTo(60);
    }

    @Test
    void aThiefGoesToTheWorkerWithTheMostFirst() {
        workers.get(0).queues.schedule(new Numbered(1), false);
        workers.get(2).queues.schedule(new Numbered(2), false);
        workers.get(2).queues.schedule(new Numbered(3), false);

        assertThat(turn(sleeper)).isEqualTo(new Numbered(2));
    }

    @Test
    void aThiefTakesHalfOfAQueue() {
        Numbered.range(0, 4).forEach(runnable -> workers.get(0).queues.schedule(runnable, false));

        turn(sleeper);

        assertThat(sleeper.queues.backlog().size()).isEqualTo(1);
        assertThat(workers.get(0).queues.backlog().size()).isEqualTo(2);
    }

    @Test
    void whoTakesFromTheGlobalQueueTakesSomeForItsOwn() {
        Numbered.range(0, 6).forEach(global::take);

        assertThat(turn(sleeper)).isEqualTo(new Numbered(0));
        assertThat(sleeper.queues.backlog().size()).isEqualTo(2);
        assertThat(global.size()).isEqualTo(3);
    }

    // Naps.

    /** Worker 0 is seen to run one coroutine after another, with something in its last-in slot each time. */
    private void napBeside(Runnable meanwhile) {
        SharingWorker busy = workers.getFirst();
        long[] marks = new long[1];
        busy.runMarks = () -> marks[0]++;
        busy.queues.schedule(WORK, true);
        search(sleeper);
        sleeper.whileAsleep = meanwhile;
        sleeper.idleness.sleep();
    }

    /** Worker 0 runs what is in its slot, which wakes another. */
    private void runFromSlot() {
        assertThat(workers.getFirst().queues.next()).isNotNull();
        workers.getFirst().queues.schedule(WORK, true);
    }

    @Test
    void aSearcherLeavesTheLastInSlotOfABusyOwnerAloneAndNaps() {
        napBeside(() -> {});

        assertThat(sleeper.sleeps).containsExactly(Idleness.NAP_NANOS);
        assertThat(workers.getFirst().queues.isEmpty()).isFalse();
    }

    @Test
    void aSearcherThatLeavesOneLastInSlotAloneLooksAtTheOthers() {
        long[] marks = new long[1];
        workers.getFirst().runMarks = () -> marks[0]++;
        workers.getFirst().queues.schedule(new Numbered(0), true);
        workers.get(3).queues.schedule(new Numbered(3), true);

        assertThat(turn(sleeper)).isEqualTo(new Numbered(3));
    }

    @Test
    void whileSomebodyNapsALastInSlotWakesNobodyAndWhoNappedHandsItOn() {
        List<Integer> duringTheNap = new ArrayList<>();
        search(sleeper);
        workers.get(3).whileAsleep = () -> napBeside(() -> {
            runFromSlot();
            duringTheNap.addAll(signalled);
        });

        workers.get(3).idleness.sleep();

        assertThat(duringTheNap).isEmpty();
        assertThat(signalled).containsExactly(3);
    }

    @Test
    void afterANapALastInSlotIsAnnouncedAgain() {
        napBeside(() -> workers.getFirst().queues.next());
        sleeper.whileAsleep = () -> publish(Publication.LAST_IN_SLOT);

        sleeper.idleness.sleep();

        assertThat(sleeper.sleeps.getLast()).as("no nap").isEqualTo(Driver.FOREVER);
        assertThat(signalled).containsExactly(1);
    }

    /** The slot of worker 0 is taken, so what is put there displaces another to the run queue. */
    @ParameterizedTest
    @EnumSource(names = {"RUN_QUEUE", "LAST_IN_SLOT"})
    void whileSomebodyNapsWorkInARunQueueIsAnnounced(Publication where) {
        List<Integer> duringTheNap = new ArrayList<>();
        search(sleeper);
        workers.get(3).whileAsleep = () -> napBeside(() -> {
            publish(where);
            duringTheNap.addAll(signalled);
        });

        workers.get(3).idleness.sleep();

        assertThat(duringTheNap).hasSize(1);
    }

    @Test
    void whoNappedAndWasWokenSearches() {
        napBeside(this::send);

        assertThat(signalled).containsExactly(1);
        assertThat(sleeper.idleness.isSearching()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aThreadThatIsNoWorkerFindsWhatWaitsAnywhere(Publication publication) {
        assertThat(sharing.hasAny()).isFalse();
        assertThat(sharing.takeAny()).isNull();

        publish(publication);

        assertThat(sharing.hasAny()).isTrue();
        assertThat(sharing.takeAny()).isSameAs(WORK);
    }

    @Test
    void fromAWorkerThatIsAloneItFindsOnlyWhatCameFromElsewhere() {
        WorkSharing alone = new WorkSharing(1, global, signalled::add);
        SharingWorker only = SharingWorker.group(alone, 1).getFirst();
        only.queues.schedule(WORK, false);
        only.queues.schedule(WORK, true);

        assertThat(alone.hasAny()).isFalse();
        assertThat(alone.takeAny()).isNull();

        Runnable sent = new Numbered(2);
        only.queues.arrive(sent);

        assertThat(alone.hasAny()).isTrue();
        assertThat(alone.takeAny()).isSameAs(sent);
    }

    @Test
    void aBurstFromOutsideWakesAWorkerForEach() {
        workers.forEach(worker -> worker.idleness.fallAsleep());

        for (int published = 1; published <= WORKERS; published++) {
            sharing.publish(WORK);

            assertThat(signalled).hasSize(published).doesNotHaveDuplicates();
        }
        sharing.publish(WORK);
        assertThat(signalled).hasSize(WORKERS);
    }

    @Test
    void whatAWorkerPublishesWhileAnotherSearchesWakesNobody() {
        workers.stream().skip(1).forEach(worker -> worker.idleness.fallAsleep());
        publish(Publication.RUN_QUEUE);

        publish(Publication.RUN_QUEUE);

        assertThat(signalled).hasSize(1);
    }
}
