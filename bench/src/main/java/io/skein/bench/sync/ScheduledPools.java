package io.skein.bench.sync;

import java.util.concurrent.ScheduledThreadPoolExecutor;

/** The JDK's pool for timers, as one would set it up for many that are cancelled. */
final class ScheduledPools {
    private ScheduledPools() {}

    static ScheduledThreadPoolExecutor ofOneThread() {
        ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1);
        pool.setRemoveOnCancelPolicy(true);
        return pool;
    }
}
