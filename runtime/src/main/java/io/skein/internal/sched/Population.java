package io.skein.internal.sched;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * How many coroutines live, and whether more may come from outside: the first two steps of a stop.
 *
 * <p>Any thread may call it; it is lock-free. The word {@code count} is the number of live coroutines, with the top bit
 * set once the runtime refuses work from outside. A coroutine counts from before it is first queued until after its body
 * has ended, and one that lives may always bring in another. So once the bit is set and the number is zero, it stays zero:
 * a spawn that races a stop either counted before the number was zero, and is run, or is refused.
 */
final class Population {
    private static final long REFUSING = Long.MIN_VALUE;

    private final AtomicLong count = new AtomicLong();
    private final CountDownLatch gone = new CountDownLatch(1);

    /** Who waits in {@link #awaitIdleAndRefuse}; copied on write, so that to wake them takes no memory. */
    private final AtomicReference<Thread[]> idleWaiters = new AtomicReference<>(new Thread[0]);

    /**
     * Counts one in.
     *
     * @param fromInside whether the caller is counted itself
     * @throws RejectedExecutionException if it may not come in
     */
    void enter(boolean fromInside) {
        long before = count.getAndIncrement();
        if (before < 0 && (before == REFUSING || !fromInside)) {
            leave();
            throw new RejectedExecutionException("the runtime is closed");
        }
    }

    void leave() {
        long now = count.decrementAndGet();
        if (now == REFUSING) {
            gone.countDown();
        } else if (now == 0) {
            wakeIdleWaiters();
        }
    }

    private void wakeIdleWaiters() {
        for (Thread waiter : idleWaiters.get()) {
            LockSupport.unpark(waiter);
        }
    }

    long size() {
        return count.get() & ~REFUSING;
    }

    boolean isRefusing() {
        return count.get() < 0;
    }

    /** Step 1: from now on, nobody comes in from outside. */
    void refuse() {
        long seen;
        do {
            seen = count.get();
            if (seen < 0) {
                return;
            }
        } while (!count.compareAndSet(seen, seen | REFUSING));
        if (seen == 0) {
            gone.countDown();
        }
        wakeIdleWaiters();
    }

    /** Step 2: waits until all have gone, at most so long. */
    boolean awaitGone(long timeout, TimeUnit unit) throws InterruptedException {
        return gone.await(timeout, unit);
    }

    void awaitGone() throws InterruptedException {
        gone.await();
    }

    /** Waits until nobody lives, and in the same moment refuses: nobody can come in between. */
    void awaitIdleAndRefuse() throws InterruptedException {
        Thread caller = Thread.currentThread();
        idleWaiters.updateAndGet(waiters -> with(waiters, caller));
        try {
            while (!count.compareAndSet(0, REFUSING)) {
                if (isRefusing()) {
                    gone.await();
                    return;
                }
                LockSupport.park(this);
                if (Thread.interrupted()) {
                    throw new InterruptedException("interrupted while coroutines live");
                }
            }
            gone.countDown();
            wakeIdleWaiters();
        } finally {
            idleWaiters.updateAndGet(waiters -> without(waiters, caller));
        }
    }

    private static Thread[] with(Thread[] waiters, Thread added) {
        Thread[] more = Arrays.copyOf(waiters, waiters.length + 1);
        more[waiters.length] = added;
        return more;
    }

    private static Thread[] without(Thread[] waiters, Thread removed) {
        return Arrays.stream(waiters).filter(waiter -> waiter != removed).toArray(Thread[]::new);
    }
}
