package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An owner that pushes and pops, thieves that steal all the while: what went in comes out once, somewhere. */
@Timeout(60)
class RunQueueThievesTest {
    private static final int RUNNABLES = 200_000;

    private final AtomicIntegerArray seen = new AtomicIntegerArray(RUNNABLES);
    private final CountDownLatch pushed = new CountDownLatch(1);
    private final Numbered.Spilled spilled = new Numbered.Spilled();

    @ParameterizedTest(name = "{0} slots, {1} thieves")
    @CsvSource({"2, 1", "2, 3", "4, 1", "4, 3", "256, 3"})
    void nothingIsLostAndNothingComesTwice(int slots, int thieves) throws Exception {
        RunQueue queue = new RunQueue(slots, spilled);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < thieves; i++) {
            threads.add(Thread.ofPlatform().name("thief-" + i).start(() -> stealUntilDry(queue, slots)));
        }

        for (int i = 0; i < RUNNABLES; i++) {
            queue.push(new Numbered(i));
            if (i % 3 == 0) {
                note(queue.pop());
            }
        }
        pushed.countDown();
        popAll(queue);
        for (Thread thread : threads) {
            thread.join();
        }
        popAll(queue);
        spilled.all.forEach(this::note);

        for (int i = 0; i < RUNNABLES; i++) {
            assertThat(seen.get(i)).as("how often %s came out", i).isEqualTo(1);
        }
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.room()).isEqualTo(slots);
    }

    private void stealUntilDry(RunQueue victim, int slots) {
        RunQueue mine = new RunQueue(slots, spilled);
        boolean alone = false;
        while (pushed.getCount() > 0 || victim.thief().size() > 0) {
            alone = !alone;
            Runnable stolen = alone ? victim.thief().stealOne() : victim.thief().stealHalfInto(mine);
            if (stolen == null) {
                Thread.onSpinWait();
            } else {
                note(stolen);
                popAll(mine);
            }
        }
    }

    private void popAll(RunQueue queue) {
        for (Runnable next = queue.pop(); next != null; next = queue.pop()) {
            note(next);
        }
    }

    private void note(@Nullable Runnable runnable) {
        if (runnable instanceof Numbered numbered) {
            seen.incrementAndGet(numbered.number());
        }
    }
}
