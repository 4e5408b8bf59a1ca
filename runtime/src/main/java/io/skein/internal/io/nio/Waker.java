package io.skein.internal.io.nio;

import io.skein.internal.Uninterruptibly;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * Wakes selectors on behalf of coroutines.
 *
 * <p>{@code Selector.wakeup} takes a monitor that the selecting worker takes too. A coroutine that waited for it,
 * unmounted, would stand in line before the very worker that has to resume it. So it only leaves a note here, which is
 * lock-free, and a platform thread does the waking. That thread starts with the first driver and sleeps without notes. It survives a
 * failure, a full heap for example, and tries again.
 */
final class Waker {
    private static final long RETRY_NANOS = 10_000_000;

    private final Thread thread =
            Thread.ofPlatform().daemon().name("skein-nio-waker").unstarted(this::run);

    /** Replaced as a whole, under the monitor. Read without an iterator, which would take memory. */
    private volatile NioDriver[] drivers = {};

    private volatile boolean stopping;

    synchronized void add(NioDriver driver) {
        NioDriver[] more = Arrays.copyOf(drivers, drivers.length + 1);
        more[drivers.length] = driver;
        if (drivers.length == 0) {
            thread.start();
        }
        drivers = more;
    }

    /** To be called after a driver has noted that it is to be woken. */
    void noted() {
        LockSupport.unpark(thread);
    }

    private void run() {
        while (!stopping) {
            if (isEveryNoteDone()) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, RETRY_NANOS);
            }
        }
    }

    private boolean isEveryNoteDone() {
        boolean done = true;
        for (NioDriver driver : drivers) {
            try {
                driver.wakeIfNoted();
            } catch (Throwable e) { // the note is still there
                done = false;
            }
        }
        return done;
    }

    /** Ends the thread; every driver is closed by then. */
    void stop() {
        stopping = true;
        if (drivers.length > 0) {
            LockSupport.unpark(thread);
            Uninterruptibly.run(thread::join);
        }
    }
}
