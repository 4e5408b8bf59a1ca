package io.skein;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A runtime around each test, started in a {@link Setup} that an annotation on the test's class chooses. Afterwards
 * the runtime has to close by itself, with no coroutine stuck, nothing left behind, and no failure that the test did
 * not expect.
 */
@ExtendWith(LeakCheck.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("exports") // Tests are patched into the module; nobody sees them outside.
public abstract class RuntimeTest {
    private static final Duration CLOSE_BOUND = Duration.ofSeconds(20);

    protected final Setup setup;

    /** Failures that nobody was waiting for; complete once the runtime is closed. */
    protected final Queue<Throwable> unheardFailures = new ConcurrentLinkedQueue<>();

    protected Skein skein;

    private boolean failuresExpected;

    protected RuntimeTest(Setup setup) {
        this.setup = setup;
    }

    @BeforeEach
    public void startRuntime() {
        skein = setup.builder()
                .name("skein-test")
                .failureHandler((_, failure) -> unheardFailures.add(failure))
                .start();
    }

    @AfterEach
    public void closeRuntime() throws InterruptedException {
        if (skein == null) {
            return; // Skipped before it started.
        }
        closeWithinBound(skein);
        if (!failuresExpected) {
            assertThat(unheardFailures)
                    .as("failures that nobody was waiting for")
                    .isEmpty();
        }
    }

    /** Says that coroutines of this test may fail with nobody waiting for them. */
    protected final void expectUnheardFailures() {
        failuresExpected = true;
    }

    /** Closes a runtime; if that does not come to an end, interrupts its coroutines and fails. */
    protected static void closeWithinBound(Skein skein) throws InterruptedException {
        Thread closer = Thread.ofPlatform().name("closer").daemon().start(skein::close);
        if (closer.join(CLOSE_BOUND)) {
            return;
        }
        skein.shutdownNow();
        boolean closedAfterAll = closer.join(CLOSE_BOUND);
        fail("close() did not return within " + CLOSE_BOUND + ": a coroutine is stuck; after shutdownNow() it "
                + (closedAfterAll ? "did" : "did not either"));
    }
}
