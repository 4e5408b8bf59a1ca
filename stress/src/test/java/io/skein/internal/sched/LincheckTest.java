package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The queues under Lincheck's model checker, which tries interleavings one by one; each beside a broken twin. */
class LincheckTest {
    private static final boolean LONG = Boolean.getBoolean("skein.test.long");

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(LONG ? 200 : 6)
                .invocationsPerIteration(LONG ? 10_000 : 150)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(3)
                .actorsAfter(2)
                .minimizeFailedScenario(false);
    }

    // The run queue, for its owner and one thief: linearizable.

    /**
     * Its owner pushes and pops, one thief steals. A steal tells all that the thief got. The ring is larger than a
     * scenario can fill: what spills depends on whether a thief is copying, which no sequential queue can say.
     */
    @Param(name = "value", gen = IntGen.class, conf = "1:9")
    public static class RunQueueModel {
        private final Ring ring;
        private final Ring mine;

        public RunQueueModel() {
            this(Ring.real(16, new Spilled()), Ring.real(16, new Spilled()));
        }

        RunQueueModel(Ring ring, Ring mine) {
            this.ring = ring;
            this.mine = mine;
        }

        @Operation(nonParallelGroup = "owner")
        public void push(int value) {
            ring.push(new Token(value));
        }

        @Operation(nonParallelGroup = "owner")
        public int pop() {
            return Token.weight(ring.pop());
        }

        @Operation(nonParallelGroup = "thief")
        public List<Integer> steal() {
            int newest = Token.weight(ring.stealHalfInto(mine));
            List<Integer> stolen = new ArrayList<>();
            for (Runnable next = mine.pop(); next != null; next = mine.pop()) {
                stolen.add(Token.weight(next));
            }
            if (newest != 0) {
                stolen.add(newest);
            }
            return stolen;
        }
    }

    /** Pops without a compare-and-set. */
    @Param(name = "value", gen = IntGen.class, conf = "1:9")
    public static class BrokenRunQueueModel extends RunQueueModel {
        public BrokenRunQueueModel() {
            super(ring(), ring());
        }

        private static Ring ring() {
            return new BrokenRing(BrokenRing.Flaw.POP_WITHOUT_COMPARE_AND_SET, 16, new Spilled());
        }

        @Override
        @Operation(nonParallelGroup = "owner")
        public void push(int value) {
            super.push(value);
        }

        @Override
        @Operation(nonParallelGroup = "owner")
        public int pop() {
            return super.pop();
        }

        @Override
        @Operation(nonParallelGroup = "thief")
        public List<Integer> steal() {
            return super.steal();
        }
    }

    /** What a run queue is when one thread at a time uses it. */
    public static class SequentialRunQueue {
        private final ArrayDeque<Integer> queue = new ArrayDeque<>();

        public void push(int value) {
            queue.add(value);
        }

        public int pop() {
            Integer first = queue.poll();
            return first == null ? 0 : first;
        }

        public List<Integer> steal() {
            int count = queue.size() - queue.size() / 2;
            List<Integer> stolen = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                stolen.add(queue.remove());
            }
            return stolen;
        }
    }

    @Test
    void theRunQueueIsLinearizableForItsOwnerAndOneThief() {
        options().sequentialSpecification(SequentialRunQueue.class).check(RunQueueModel.class);
    }

    @Test
    void aRunQueueThatPopsWithoutACompareAndSetIsCaught() {
        assertThatThrownBy(() -> options()
                        .sequentialSpecification(SequentialRunQueue.class)
                        .check(BrokenRunQueueModel.class))
                .isInstanceOf(LincheckAssertionError.class);
    }

    // The run queue, for its owner and two thieves, in rings that overflow: each comes out once.

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void betweenOwnerAndTwoThievesEachComesOutOnce(int capacity) {
        Lincheck.runConcurrentTest(LONG ? 100_000 : 1_000, () -> ownerAndTwoThieves(capacity, null));
    }

    @ParameterizedTest
    @EnumSource
    void aRunQueueWithoutOneOfItsGuardsIsCaught(BrokenRing.Flaw flaw) {
        assertThatThrownBy(() -> Lincheck.runConcurrentTest(100_000, () -> ownerAndTwoThieves(4, flaw)))
                .isInstanceOf(LincheckAssertionError.class);
    }

    private static void ownerAndTwoThieves(int capacity, BrokenRing.@Nullable Flaw flaw) {
        Spilled spilled = new Spilled();
        Ring ring = ring(capacity, flaw, spilled);
        Ring first = ring(capacity, flaw, new Spilled());
        Ring second = ring(capacity, flaw, new Spilled());
        ring.push(Token.A);
        ring.push(Token.B);
        int[] out = new int[2];
        Thread firstThief = new Thread(() -> out[0] = Token.weight(ring.stealHalfInto(first)));
        Thread secondThief = new Thread(() -> out[1] = Token.weight(ring.stealHalfInto(second)));
        firstThief.start();
        secondThief.start();
        ring.push(Token.C);
        ring.push(Token.D);
        ring.push(Token.E);
        int popped = Token.weight(ring.pop());
        join(firstThief);
        join(secondThief);
        int all = popped + out[0] + out[1] + ring.drain() + first.drain() + second.drain() + spilled.weight();
        if (all != 11_111) {
            throw new AssertionError("of each token, so many came out: " + all);
        }
    }

    private static Ring ring(int capacity, BrokenRing.@Nullable Flaw flaw, Spilled spilled) {
        return flaw == null ? Ring.real(capacity, spilled) : new BrokenRing(flaw, capacity, spilled);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts", e);
        }
    }

    // The global queue.

    @Param(name = "value", gen = IntGen.class, conf = "1:9")
    public static class SharedQueueModel {
        private final SharedQueue queue = new SharedQueue();

        @Operation
        public void take(int value) {
            queue.take(new Token(value));
        }

        @Operation
        public void takeTwo(@Param(name = "value") int first, @Param(name = "value") int second) {
            queue.takeAll(List.of(new Token(first), new Token(second)));
        }

        @Operation
        public int poll() {
            return Token.weight(queue.poll());
        }

        @Operation
        public boolean isEmpty() {
            return queue.isEmpty();
        }
    }

    /** Looks at the first and takes it in two steps. */
    @Param(name = "value", gen = IntGen.class, conf = "1:9")
    public static class BrokenSharedQueueModel {
        private final ConcurrentLinkedQueue<Runnable> queue = new ConcurrentLinkedQueue<>();

        @Operation
        public void take(int value) {
            queue.add(new Token(value));
        }

        @Operation
        public void takeTwo(@Param(name = "value") int first, @Param(name = "value") int second) {
            queue.addAll(List.of(new Token(first), new Token(second)));
        }

        @Operation
        public int poll() {
            Runnable first = queue.peek();
            if (first != null) {
                queue.remove();
            }
            return Token.weight(first);
        }

        @Operation
        public boolean isEmpty() {
            return queue.isEmpty();
        }
    }

    /** What the global queue is when one thread at a time uses it. */
    public static class SequentialQueue {
        private final ArrayDeque<Integer> queue = new ArrayDeque<>();

        public void take(int value) {
            queue.add(value);
        }

        public void takeTwo(int first, int second) {
            queue.add(first);
            queue.add(second);
        }

        public int poll() {
            Integer first = queue.poll();
            return first == null ? 0 : first;
        }

        public boolean isEmpty() {
            return queue.isEmpty();
        }
    }

    @Test
    void theGlobalQueueIsLinearizable() {
        options().sequentialSpecification(SequentialQueue.class).check(SharedQueueModel.class);
    }

    @Test
    void aGlobalQueueThatLooksBeforeItTakesIsCaught() {
        assertThatThrownBy(() ->
                        options().sequentialSpecification(SequentialQueue.class).check(BrokenSharedQueueModel.class))
                .isInstanceOf(LincheckAssertionError.class);
    }
}
