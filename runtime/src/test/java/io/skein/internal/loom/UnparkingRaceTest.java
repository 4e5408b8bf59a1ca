package io.skein.internal.loom;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Collision;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two carriers that come to one thread at the same moment. */
@Timeout(60)
class UnparkingRaceTest {
    private static final int ROUNDS = 50_000;

    private final ManualQueue queue = new ManualQueue();
    private final Collision collision = new Collision(2);

    /** How often the thread ran; it alone writes it, so a second carrier would lose one. */
    private int wakes;

    @BeforeAll
    static void needFlags() {
        ManualQueue.needFlags();
    }

    @Test
    void oneOfTwoCarriersRunsAParkedThread() throws Exception {
        Thread thread = queue.start(() -> {
            while (true) {
                LockSupport.park();
                wakes++;
            }
        });
        AtomicInteger runs = new AtomicInteger();
        Thread other = Thread.ofPlatform().start(() -> {
            for (int round = 0; round < ROUNDS; round++) {
                meetAndRun(thread, runs);
            }
        });
        for (int round = 0; round < ROUNDS; round++) {
            meetAndRun(thread, runs);
        }
        other.join();
        assertThat(wakes).isEqualTo(runs.get());
    }

    private void meetAndRun(Thread thread, AtomicInteger runs) {
        collision.meet();
        if (ParkedThreads.run(thread)) {
            runs.incrementAndGet();
        }
        collision.meet();
    }
}
