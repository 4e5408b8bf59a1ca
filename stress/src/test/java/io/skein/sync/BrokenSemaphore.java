package io.skein.sync;

import io.skein.Window;
import io.skein.internal.sync.BriefLock;
import io.skein.internal.sync.Patience;
import io.skein.internal.sync.WaitQueue;
import io.skein.internal.sync.WaitQueue.Place;
import io.skein.internal.sync.Waiter;

/** A {@link Semaphore}, or with one permit a mutex, without two of its guards. */
final class BrokenSemaphore {
    private final BriefLock lock = new BriefLock();
    private final WaitQueue line = new WaitQueue();
    private final Window window = new Window();
    private volatile int permits;

    BrokenSemaphore(int permits) {
        this.permits = permits;
    }

    /** Lets the other actor in between its steps. */
    void openWindow() {
        window.open();
    }

    int availablePermits() {
        return permits;
    }

    /** Looks and takes in two steps. */
    boolean tryAcquire() {
        int seen = permits;
        if (seen == 0) {
            return false;
        }
        window.open();
        permits = seen - 1;
        return true;
    }

    /** Gives up without a look at whether it was served meanwhile. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    boolean tryAcquire(Patience patience) {
        Place place = new Place(new Waiter(), null);
        lock.lock();
        if (permits > 0) {
            permits--;
            lock.unlock();
            return true;
        }
        line.add(place);
        lock.unlock();
        if (patience.await(place.waiter())) {
            return true;
        }
        window.open();
        lock.lock();
        line.remove(place);
        lock.unlock();
        return false;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    void release() {
        lock.lock();
        Place first = line.poll();
        if (first == null) {
            permits++;
        }
        lock.unlock();
        if (first != null) {
            first.waiter().resume();
        }
    }
}
