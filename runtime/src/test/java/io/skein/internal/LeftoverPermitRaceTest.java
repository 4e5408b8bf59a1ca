package io.skein.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A wait of a thread that has a permit already, as an unpark by somebody else leaves one behind. Who ends the wait then hands out none, and the
 * waiter, who uses that permit up at the same moment, must see the end nevertheless.
 */
@Timeout(60)
class LeftoverPermitRaceTest {
    private static final int WAITS = 300_000;

    /** So many looks apart the two get at each other at all stages of a wait. */
    private static final int STAGES = 32;

    private final Wait wait = new Wait();

    /** How many waits have begun. */
    private volatile int begun;

    @Test
    void theEndOfAWaitIsSeenBeyondAPermitThatIsLeftOver() throws Exception {
        Thread waiter = Thread.ofVirtual().start(() -> {
            for (int i = 1; i <= WAITS; i++) {
                LockSupport.unpark(Thread.currentThread());
                wait.start();
                begun = i;
                for (int look = i % STAGES; look > 0; look--) {
                    Thread.onSpinWait();
                }
                wait.awaitUninterruptibly();
            }
        });
        for (int i = 1; i <= WAITS; i++) {
            while (begun < i) {
                Thread.onSpinWait();
            }
            wait.end();
        }
        waiter.join();
        assertThat(wait.isWaiting()).isFalse();
    }

    private static final class Wait extends Suspension {
        void start() {
            begin();
        }
    }
}
