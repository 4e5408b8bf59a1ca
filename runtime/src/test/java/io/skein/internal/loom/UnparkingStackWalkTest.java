package io.skein.internal.loom;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Collision;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * While somebody walks its stack, a thread is neither parked nor may it be run. Whoever comes to its entry of the queue then leaves a
 * permit, for which the JDK looks after the walk. Threads are run by hand, on the test's own.
 */
@Timeout(60)
class UnparkingStackWalkTest {
    private static final int FRAMES = 1000;

    private final ManualQueue queue = new ManualQueue();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();

    @BeforeAll
    static void needFlags() {
        ManualQueue.needFlags();
    }

    @Test
    void noWakeUpOfAThreadWhoseStackIsWalkedIsLost() throws Exception {
        Thread thread = queue.start(() -> answerDeepInTheStack(FRAMES));
        Thread walker = Thread.ofPlatform().name("walker").start(() -> {
            while (!over.get()) {
                thread.getStackTrace();
                Collision.takeSomeSteps();
            }
        });
        try {
            Collision.repeat(Duration.ofMillis(500), _ -> {
                asked.incrementAndGet();
                Unparking.unpark(thread);
                Collision.takeSomeSteps();
                runUntilAnswered(thread);
            });
        } finally {
            over.set(true);
            walker.join();
        }
        Unparking.unpark(thread);
        queue.runUntilEnded(thread);
        assertThat(answered.get()).isEqualTo(asked.get());
    }

    /** By polling without a pause at first: the walker is to be met at any point. */
    private void runUntilAnswered(Thread thread) {
        for (int i = 0; i < 10_000 && answered.get() != asked.get(); i++) {
            queue.runAll();
        }
        if (answered.get() != asked.get()) {
            Await.until(
                    "the thread answers",
                    () -> {
                        queue.runAll();
                        return answered.get() == asked.get();
                    },
                    thread);
        }
    }

    private void answerDeepInTheStack(int frames) {
        if (frames > 0) {
            answerDeepInTheStack(frames - 1);
            return;
        }
        while (!over.get()) {
            answered.set(asked.get());
            LockSupport.park();
        }
    }
}
