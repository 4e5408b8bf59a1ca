package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In which order a worker runs what waits for it, and what others see of that. */
@Timeout(30)
class OwnQueuesTest {
    private static final int CAPACITY = 4;

    private final SharedQueue global = new SharedQueue();
    private final List<Integer> signalled = new ArrayList<>();
    private final WorkSharing sharing = new WorkSharing(2, global, signalled::add);
    private final OwnQueues others = queues(1, true);
    private long runMarks;
    private final OwnQueues queues = queues(0, true);

    private OwnQueues queues(int place, boolean spillsToAll) {
        return new OwnQueues(sharing, place, CAPACITY, spillsToAll, () -> runMarks);
    }

    private void woken(int number) {
        queues.schedule(new Numbered(number), true);
    }

    private void queued(int number) {
        queues.schedule(new Numbered(number), false);
    }

    private static List<Runnable> all(OwnQueues queues) {
        List<Runnable> taken = new ArrayList<>();
        for (Runnable next = queues.next(); next != null; next = queues.next()) {
            taken.add(next);
        }
        return taken;
    }

    @Test
    void whatIsQueuedRunsInTheOrderInWhichItCame() {
        queued(0);
        queued(1);
        queues.requeue(new Numbered(2));

        assertThat(all(queues)).isEqualTo(Numbered.range(0, 3));
    }

    @Test
    void whatTheRunningOneHasWokenRunsNext() {
        queued(1);
        woken(0);
        queued(2);

        assertThat(all(queues)).isEqualTo(Numbered.range(0, 3));
    }

    @Test
    void whoIsDisplacedFromTheLastInSlotGoesToTheEndOfTheRunQueue() {
        queued(1);
        woken(2);
        woken(0);

        assertThat(all(queues)).isEqualTo(Numbered.range(0, 3));
    }

    @Test
    void afterThreeRunsFromTheLastInSlotOneOfTheRunQueueHasItsTurn() {
        queued(100);
        queued(101);

        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            woken(i);
            order.add(nextNumber());
        }
        order.add(nextNumber());

        assertThat(order).containsExactly(0, 1, 2, 100, 4, 101);
        assertThat(all(queues)).as("3 went to the end of the run queue").containsExactly(new Numbered(3));
    }

    private int nextNumber() {
        return queues.next() instanceof Numbered numbered ? numbered.number() : -1;
    }

    @Test
    void aLastInSlotWhoseTurnsAreOverIsTakenFromWhereNothingElseWaits() {
        for (int i = 0; i < 10; i++) {
            woken(i);

            assertThat(queues.next()).isEqualTo(new Numbered(i));
        }
    }

    @Test
    void whatArrivesIsTakenApartFromTheRest() {
        queues.arrive(new Numbered(0));
        queues.arrive(new Numbered(1));

        assertThat(queues.next()).isNull();
        assertThat(queues.nextArrival()).isEqualTo(new Numbered(0));
        assertThat(queues.nextArrival()).isEqualTo(new Numbered(1));
        assertThat(queues.nextArrival()).isNull();
    }

    @Test
    void theyAreEmptyOnlyIfNothingWaitsAnywhere() {
        assertThat(queues.isEmpty()).isTrue();

        queued(0);
        assertThat(queues.isEmpty()).as("run queue").isFalse();
        queues.next();
        woken(0);
        assertThat(queues.isEmpty()).as("last-in slot").isFalse();
        queues.next();
        queues.arrive(new Numbered(0));
        assertThat(queues.isEmpty()).as("arrivals").isFalse();
        queues.nextArrival();

        assertThat(queues.isEmpty()).isTrue();
    }

    // A full run queue.

    @Test
    void aFullRunQueueSpillsToTheGlobalQueue() {
        Numbered.range(0, CAPACITY + 1).forEach(runnable -> queues.schedule(runnable, false));

        assertThat(global.size()).isEqualTo(CAPACITY / 2 + 1);
        assertThat(queues.nextArrival()).isNull();
        assertThat(queues.spills()).isEqualTo(1);
    }

    @Test
    void aFullRunQueueSpillsToItsOwnArrivalsWhereWorkStaysWithItsWorker() {
        OwnQueues pinned = queues(0, false);

        Numbered.range(0, CAPACITY + 1).forEach(runnable -> pinned.schedule(runnable, false));

        assertThat(global.isEmpty()).isTrue();
        assertThat(pinned.nextArrival()).isEqualTo(new Numbered(0));
    }

    /** The queue behind a full run queue takes no null, so one stands for the memory that there is not. */
    @Test
    @SuppressWarnings("NullAway") // on purpose
    void whereTheRunQueueFailsTheDisplacedOneGetsTheLastInSlotBackAndTheNewOneIsNotQueued() {
        Runnable poison = null;
        queues.schedule(poison, false);
        Numbered.range(1, CAPACITY).forEach(runnable -> queues.schedule(runnable, false));
        woken(10);

        assertThatNullPointerException().isThrownBy(() -> woken(11));

        assertThat(queues.next()).isEqualTo(new Numbered(10));
        List<@Nullable Runnable> left = new ArrayList<>();
        for (int i = 0; i < CAPACITY; i++) {
            left.add(queues.next());
        }
        assertThat(left).containsExactlyInAnyOrder(null, new Numbered(1), new Numbered(2), new Numbered(3));
        assertThat(queues.isEmpty()).isTrue();
    }

    // What others see.

    @Test
    void theLoadIsWhatWaitsAndWhatRuns() {
        queued(0);
        queued(1);
        woken(2);
        queues.arrive(new Numbered(3));
        Backlog backlog = queues.backlog();

        assertThat(backlog.queued()).isEqualTo(3);
        assertThat(backlog.size()).isEqualTo(4);
        runMarks = 6;
        assertThat(backlog.load()).as("nothing runs").isEqualTo(4);
        runMarks = 7;
        assertThat(backlog.load()).as("one runs").isEqualTo(5);
    }

    @Test
    void whatIsQueuedAgainIsLeftToItsWorker() {
        sharing.idle().fallAsleep(1, false);

        queues.requeue(new Numbered(0));

        assertThat(signalled).isEmpty();
        assertThat(others.next()).isNull();
    }

    @Test
    void afterADriveWorkIsAnnouncedAsBefore() {
        queues.startGathering();
        queues.stopGathering();
        sharing.idle().fallAsleep(1, false);

        queued(0);

        assertThat(signalled).containsExactly(1);
    }
}
