package io.skein.sync;

import io.skein.internal.Budget;
import io.skein.internal.sync.BriefLock;
import io.skein.internal.time.Timers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One of several who each hear everything. Who waits is only told that there may be something, and looks again: an interrupt
 * takes nothing away with it.
 */
abstract sealed class Listener<T> implements Receiver<T> permits Subscription, Watch.Watcher {
    abstract BriefLock lock();

    /** Gives the lock back, and wakes whom its holder has served. */
    abstract void unlock();

    /** Those who wait, of this and other listeners; guarded by the lock. */
    abstract Line waiting();

    /** Those who wait for the end of this and other listeners, and for no value; guarded by the lock. */
    abstract Line awaitingEnd();

    /** Whether {@link #poll} would tell how it was closed; under the lock. */
    abstract boolean isEnded();

    /** The next value, how it was closed if there will be none, or null if there is none yet; under the lock. */
    abstract @Nullable Object poll();

    @Override
    public final T receive() throws InterruptedException {
        Budget.spend();
        while (true) {
            Place place = new Place(null);
            Object outcome = pollOrEnlist(place);
            if (outcome != null) {
                return value(outcome);
            }
            if (!place.awaitServed(waiting(), lock())) {
                throw interrupted(place);
            }
        }
    }

    @Override
    public final @Nullable T tryReceive() {
        Budget.spend();
        Object outcome;
        lock().lock();
        try {
            outcome = poll();
        } finally {
            unlock();
        }
        return outcome == null ? null : value(outcome);
    }

    @Override
    public final @Nullable T tryReceive(Duration atMost) throws InterruptedException {
        Budget.spend();
        long deadline = Timers.deadlineAfter(atMost);
        while (true) {
            Place place = new Place(null);
            Object outcome = pollOrEnlist(place);
            if (outcome != null) {
                return value(outcome);
            }
            if (!place.awaitServed(waiting(), lock(), deadline)) {
                if (Thread.currentThread().isInterrupted()) {
                    throw interrupted(place);
                }
                remove(place);
                return null;
            }
        }
    }

    /** For {@link Ending#isOver}. */
    final boolean hasEnded() {
        lock().lock();
        boolean ended = isEnded();
        unlock();
        return ended;
    }

    /** For {@link Ending#enlist}. */
    final boolean enlistUnlessEnded(Place place) {
        lock().lock();
        boolean ended = isEnded();
        if (!ended) {
            awaitingEnd().add(place);
        }
        lock().unlock(); // nothing has changed that anybody is to be told of
        return !ended;
    }

    /** For {@link Ending#forget}. */
    final void forgetEnd(Place place) {
        place.leave(awaitingEnd(), lock());
    }

    private @Nullable Object pollOrEnlist(Place place) {
        lock().lock();
        try {
            Object outcome = poll();
            if (outcome == null) {
                waiting().add(place);
            }
            return outcome;
        } finally {
            unlock();
        }
    }

    private void remove(Place place) {
        place.leave(waiting(), lock());
    }

    private InterruptedException interrupted(Place place) {
        remove(place);
        Thread.interrupted(); // told by the exception instead
        return new InterruptedException("interrupted while waiting to receive");
    }

    @SuppressWarnings("unchecked") // only values of T are sent
    private T value(Object outcome) {
        Closing.throwIfClosed(outcome);
        return (T) outcome;
    }
}
