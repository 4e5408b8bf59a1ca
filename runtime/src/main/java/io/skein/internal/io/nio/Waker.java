package io.skein.internal.io.nio;

import io.skein.internal.Uninterruptibly;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Wakes selectors on behalf of coroutines.
 *
 * <p>{@code Selector.wakeup} takes a monitor that the selecting worker takes too. A coroutine that waited for it,
 * unmounted, would stand in line before the very worker that has to resume it. So it only leaves a note here, which is
 * lock-free, and a platform thread does the waking. That thread starts with the first note and sleeps without notes.
 */
final class Waker {
    private final List<NioDriver> drivers = new CopyOnWriteArrayList<>();
    private final AtomicBoolean started = new AtomicBoolean();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("skein-nio-waker").unstarted(this::run);
    private volatile boolean stopping;

    void add(NioDriver driver) {
        drivers.add(driver);
    }

    /** To be called after a driver has noted that it is to be woken. */
    void noted() {
        if (started.compareAndSet(false, true)) {
            thread.start();
        }
        LockSupport.unpark(thread);
    }

    private void run() {
        while (!stopping) {
            drivers.forEach(NioDriver::wakeIfNoted);
            LockSupport.park(this);
        }
    }

    /** Ends the thread; every driver is closed by then. */
    void stop() {
        stopping = true;
        if (started.get()) {
            LockSupport.unpark(thread);
            Uninterruptibly.run(thread::join);
        }
    }
}
