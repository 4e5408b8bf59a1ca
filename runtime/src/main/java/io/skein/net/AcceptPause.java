package io.skein.net;

import io.skein.time.Time;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * What a server does when its acceptor fails: it says so and waits, each time longer. Used by one thread. A listener without
 * descriptors or memory does not fail: it waits itself.
 *
 * <p>Near some limit failures and successes take turns, and a listener that is broken fails for ever. So it says so at most once a
 * minute.
 */
final class AcceptPause {
    private static final Duration SHORTEST = Duration.ofMillis(5);
    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

    private final Consumer<Throwable> listener;

    private Duration next = SHORTEST;
    private boolean told;
    private long toldAt;

    /**
     * @param listener who hears of failures
     */
    AcceptPause(Consumer<Throwable> listener) {
        this.listener = listener;
    }

    /** Waits before the next try. */
    void after(Throwable failure) throws InterruptedException {
        long now = System.nanoTime();
        if (!told || now - toldAt > QUIET_NANOS) {
            told = true;
            toldAt = now;
            listener.accept(failure);
        }
        Time.sleep(next);
        next = next.multipliedBy(2).compareTo(LONGEST) < 0 ? next.multipliedBy(2) : LONGEST;
    }

    /** A connection was accepted. */
    void over() {
        next = SHORTEST;
    }
}
