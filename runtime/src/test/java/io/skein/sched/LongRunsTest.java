package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.internal.Budget;
import io.skein.internal.loom.Loom;
import io.skein.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One worker, and coroutines that compute for long before they give way: whoever waits for the driver waits for one run, not for a batch. */
@Mode.OneWorker
class LongRunsTest extends ModeTest {
    private static final long RUN_NANOS = 2 * Budget.SLICE_NANOS;
    private static final int COMPUTING = 20;
    private static final int ROUNDS = 21;

    private final AtomicBoolean sleeps = new AtomicBoolean();
    private final AtomicBoolean over = new AtomicBoolean();

    /** How often one of those that compute has run. One worker runs everybody. */
    private int runs;

    private int runsWhenDue;
    private long dueNanos;

    LongRunsTest(Mode mode) {
        super(mode);
    }

    @BeforeEach
    void needsWorkersOfOurOwn() {
        assumeTrue(Loom.available(), "without the flags the JDK's scheduler decides who runs");
    }

    /** Timers are fired by the worker's drive, and how long that takes is nobody's affair but the worker's. */
    @Test
    void theWorkerDrivesBetweenTwoOfThem() throws Exception {
        List<Integer> waited = skein.blockOn(() -> {
            List<Integer> runsFromDueToAwake = new ArrayList<>();
            List<Coroutine<?>> computing = new ArrayList<>();
            for (int i = 0; i < COMPUTING; i++) {
                computing.add(skein.spawn(this::compute));
            }
            for (int round = 0; round < ROUNDS; round++) {
                dueNanos = System.nanoTime() + 3 * RUN_NANOS;
                sleeps.set(true);
                Time.sleep(Duration.ofNanos(3 * RUN_NANOS));
                runsFromDueToAwake.add(sleeps.getAndSet(false) ? 0 : runs - runsWhenDue);
            }
            over.set(true);
            for (Coroutine<?> one : computing) {
                one.join();
            }
            return runsFromDueToAwake;
        });

        Collections.sort(waited);
        assertThat(waited.get(ROUNDS / 2))
                .isLessThan(2 * COMPUTING - 5); // a whole batch before each turn would be 30 more
    }

    @SuppressWarnings("ThreadPriorityCheck") // to give way is what they do in the end
    private void compute() {
        while (!over.get()) {
            long begin = System.nanoTime();
            if (begin - dueNanos >= 0 && sleeps.compareAndSet(true, false)) {
                runsWhenDue = runs;
            }
            while (System.nanoTime() - begin < RUN_NANOS) {
                Thread.onSpinWait();
            }
            runs++;
            Thread.yield();
        }
    }
}
