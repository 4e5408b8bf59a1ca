package io.skein.net;

import io.skein.time.Time;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * What a server does when its acceptor fails: it says so and waits, each time longer. Used by one thread. A listener without
 * descriptors or memory does not fail: it waits itself.
 *
 * <p>Near the limit failures and successes take turns. So the log is told again only after a minute without failures.
 */
final class AcceptPause {
    private static final Duration SHORTEST = Duration.ofMillis(5);
    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

    private final System.Logger log;
    private final String subject;

    private Duration next = SHORTEST;
    private boolean failed;
    private long failedAt;

    AcceptPause(System.Logger log, String subject) {
        this.log = log;
        this.subject = subject;
    }

    /** Waits before the next try. */
    void after(IOException failure) throws InterruptedException {
        long now = System.nanoTime();
        if (!failed || now - failedAt > QUIET_NANOS) {
            log.log(Level.WARNING, subject + " cannot accept now and tries again, up to a second later", failure);
        }
        failed = true;
        failedAt = now;
        Time.sleep(next);
        next = next.multipliedBy(2).compareTo(LONGEST) < 0 ? next.multipliedBy(2) : LONGEST;
    }

    /** A connection was accepted. */
    void over() {
        next = SHORTEST;
    }
}
