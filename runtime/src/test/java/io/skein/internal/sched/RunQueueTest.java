package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.skein.Await;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The owner and one thief of a queue of four slots, on one thread. */
@Timeout(60)
class RunQueueTest {
    private final Numbered.Spilled spilled = new Numbered.Spilled();
    private final RunQueue queue = new RunQueue(4, spilled);
    private final RunQueue mine = new RunQueue(4, new Numbered.Spilled());

    @ParameterizedTest
    @ValueSource(ints = {-4, 0, 1, 3, 6, 100})
    void aCapacityThatIsNoPowerOfTwoFromTwoOnIsRefusedAndNamed(int capacity) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RunQueue(capacity, spilled))
                .withMessageContaining(Integer.toString(capacity));
    }

    @Test
    void anEmptyQueueHasNothingForItsOwnerNorForAThief() {
        assertThat(queue.pop()).isNull();
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.room()).isEqualTo(4);
        assertThat(queue.thief().size()).isZero();
        assertThat(queue.thief().stealHalfInto(mine)).isNull();
    }

    @Test
    void theOwnerPopsInTheOrderOfItsPushes() {
        push(0, 4);

        assertThat(popAll(queue)).isEqualTo(Numbered.range(0, 4));
        assertThat(spilled.all).isEmpty();
    }

    @Test
    void theOrderHoldsWhileTheIndicesGoAroundTheRingManyTimes() {
        for (int i = 0; i < 1000; i++) {
            push(3 * i, 3 * i + 3);

            assertThat(popAll(queue)).isEqualTo(Numbered.range(3 * i, 3 * i + 3));
        }
        assertThat(spilled.all).isEmpty();
    }

    @Test
    void aFifthRunnableMovesTheOlderHalfAndItselfToTheOverflowInOrder() {
        push(0, 5);

        assertThat(spilled.all).containsExactly(new Numbered(0), new Numbered(1), new Numbered(4));
        assertThat(popAll(queue)).isEqualTo(Numbered.range(2, 4));
        assertThat(queue.spills()).isEqualTo(1);
    }

    @Test
    void pushingForEverKeepsEveryRunnableOnce() {
        push(0, 1000);

        List<Runnable> everything = new ArrayList<>(spilled.all);
        everything.addAll(popAll(queue));
        assertThat(everything).containsExactlyInAnyOrderElementsOf(Numbered.range(0, 1000));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anOverflowThatFailsLeavesWhatWasQueuedInTheQueueAndTheNewOneOut(boolean shared) {
        RunQueue full = new RunQueue(4, new NoMemory(), shared);
        Numbered.range(0, 4).forEach(full::push);

        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> full.push(new Numbered(4)));

        assertThat(popAll(full)).containsExactlyInAnyOrderElementsOf(Numbered.range(0, 4));
    }

    private static final class NoMemory implements RunQueue.Overflow {
        @Override
        public void take(Runnable runnable) {
            throw new OutOfMemoryError("on purpose");
        }

        @Override
        public void takeAll(List<Runnable> runnables) {
            throw new OutOfMemoryError("on purpose");
        }
    }

    @Test
    void everySpillIsCounted() {
        push(0, 8);

        assertThat(queue.spills()).isEqualTo(2);
    }

    @Test
    void nothingThatHasLeftTheQueueIsKeptReachable() {
        List<WeakReference<Runnable>> gone = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Runnable runnable = new Numbered(i);
            gone.add(new WeakReference<>(runnable));
            queue.push(runnable);
        }
        spilled.all.clear();
        popAll(queue);

        Await.until("what was spilled or popped is collected", () -> {
            System.gc();
            return gone.stream().allMatch(each -> each.get() == null);
        });
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void withoutThievesTheOrderIsTheSame() {
        RunQueue alone = new RunQueue(4, spilled, false);
        Numbered.range(0, 5).forEach(alone::push);

        assertThat(spilled.all).containsExactly(new Numbered(0), new Numbered(1), new Numbered(4));
        assertThat(popAll(alone)).isEqualTo(Numbered.range(2, 4));
        assertThat(alone.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 2", "4, 2"})
    void aThiefTakesTheOlderHalfRoundedUp(int queued, int taken) {
        push(0, queued);

        Runnable toRun = queue.thief().stealHalfInto(mine);

        assertThat(toRun).isEqualTo(new Numbered(taken - 1));
        assertThat(popAll(mine)).isEqualTo(Numbered.range(0, taken - 1));
        assertThat(popAll(queue)).isEqualTo(Numbered.range(taken, queued));
    }

    @Test
    void aThiefTakesNoMoreThanFitsIntoItsOwnQueue() {
        RunQueue large = new RunQueue(64, spilled);
        Numbered.range(0, 64).forEach(large::push);

        Runnable toRun = large.thief().stealHalfInto(mine);

        assertThat(toRun).isEqualTo(new Numbered(4));
        assertThat(popAll(mine)).isEqualTo(Numbered.range(0, 4));
        assertThat(large.size()).isEqualTo(59);
    }

    @Test
    void aThiefWhoseQueueIsFullTakesTheOneThatItRuns() {
        push(0, 4);
        Numbered.range(10, 14).forEach(mine::push);

        Runnable toRun = queue.thief().stealHalfInto(mine);

        assertThat(toRun).isEqualTo(new Numbered(0));
        assertThat(popAll(mine)).isEqualTo(Numbered.range(10, 14));
        assertThat(popAll(queue)).isEqualTo(Numbered.range(1, 4));
    }

    @Test
    void whatWasStolenMakesRoomForTheOwner() {
        push(0, 4);
        queue.thief().stealHalfInto(mine);

        assertThat(queue.room()).isEqualTo(2);
        push(4, 6);

        assertThat(popAll(queue)).isEqualTo(Numbered.range(2, 6));
        assertThat(spilled.all).isEmpty();
    }

    @Test
    void bothViewsAgreeOnTheSize() {
        push(0, 3);
        queue.pop();

        assertThat(queue.size()).isEqualTo(2);
        assertThat(queue.thief().size()).isEqualTo(2);
    }

    private void push(int from, int to) {
        Numbered.range(from, to).forEach(queue::push);
    }

    private static List<Runnable> popAll(RunQueue queue) {
        List<Runnable> popped = new ArrayList<>();
        for (Runnable next = queue.pop(); next != null; next = queue.pop()) {
            popped.add(next);
        }
        return popped;
    }

    @Test
    void aThreadWithoutAQueueTakesTheOldest() {
        push(0, 3);

        assertThat(queue.thief().stealOne()).isEqualTo(new Numbered(0));
        assertThat(queue.thief().stealOne()).isEqualTo(new Numbered(1));
        assertThat(queue.pop()).isEqualTo(new Numbered(2));
        assertThat(queue.thief().stealOne()).isNull();
    }

    @Test
    void nobodyTakesFromAQueueThatIsNotMadeForThieves() {
        RunQueue own = new RunQueue(4, spilled, false);
        own.push(new Numbered(0));

        assertThat(own.thief().stealOne()).isNull();
        assertThat(own.pop()).isEqualTo(new Numbered(0));
    }
}
