package io.skein.sync;

import io.skein.internal.loom.Unparking;
import io.skein.internal.sync.BriefLock;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The inside of a channel: the values that are underway, those who wait, and the lock that guards both. Who holds the lock waits
 * for nothing, and calls nobody's code.
 *
 * <p>Receivers are in line only while the ring is empty, senders only while it is full; but the dead may be in line at any time.
 * So a sender serves the receivers first, then fills the ring, then waits; and a receiver takes from the ring and lets the first
 * sender fill the gap, or takes from that sender itself. That keeps the order.
 *
 * <p>Who serves a place unparks its thread after it has given the lock back, for the one who goes on may want it.
 */
abstract sealed class Exchange permits Channel {
    private static final Object SENT = new Object();
    private static final AtomicLong IDS = new AtomicLong();

    static { // here, since a class whose first use is in too little stack is spoiled
        SelectWait practice = new SelectWait();
        practice.serve(new Place(practice, null));
    }

    /** Tells channels apart, and says which of two a select locks first. */
    final long id = IDS.getAndIncrement();

    final Line senders = new Line();
    final Line receivers = new Line();

    /** Those who wait for the end, and for no value; made when the first comes. */
    private @Nullable Line awaitingEnd;

    private final BriefLock lock = new BriefLock();
    private final Ring ring = new Ring();
    private final int capacity;
    private final boolean conflated;
    private @Nullable Closing closing;

    /** Whom the holder of the lock has served, to be unparked. */
    private @Nullable Thread served;

    Exchange(int capacity, boolean conflated) {
        this.capacity = capacity;
        this.conflated = conflated;
    }

    final void lock() {
        lock.lock();
    }

    /** As {@link #lock}, for who holds another channel's: false if it would have to give way with that. */
    final boolean tryLock() {
        return lock.tryLock();
    }

    /** Gives the lock back, and wakes whom its holder has served. */
    final void unlock() {
        Thread woken = served;
        if (awaitingEnd != null) {
            unlockAndTellEnd();
        } else if (woken == null) {
            lock.unlock();
        } else {
            served = null;
            lock.unlock();
            Unparking.unpark(woken);
        }
    }

    private void unlockAndTellEnd() {
        Thread woken = served;
        served = null;
        Place ending = awaitingEnd != null && isEnded() ? awaitingEnd.pollAll() : null;
        lock.unlock();
        Place.serveAll(ending);
        Unparking.unpark(woken);
    }

    /** Whether it is closed, and nothing is left in it; under the lock. */
    private boolean isEnded() {
        return closing != null && ring.size() == 0;
    }

    /** For {@link Ending#enlist}. */
    final boolean enlistUnlessEnded(Place place) {
        Line made = new Line();
        lock.lock();
        boolean ended = isEnded();
        if (!ended) {
            Line line = awaitingEnd == null ? made : awaitingEnd;
            awaitingEnd = line;
            line.add(place);
        }
        lock.unlock();
        return !ended;
    }

    /** For {@link Ending#forget}. */
    final void forgetEnd(Place place) {
        lock.lockAgain();
        if (awaitingEnd != null) {
            awaitingEnd.remove(place);
        }
        lock.unlock();
    }

    /** For {@link Ending#isOver}. */
    final boolean hasEnded() {
        lock.lock();
        boolean ended = isEnded();
        lock.unlock();
        return ended;
    }

    /** Whether {@link #offer} would find something to do; or only dead places, and then it finds out and removes them. */
    final boolean mayOffer() {
        return closing != null || conflated || ring.size() < capacity || !receivers.isEmpty();
    }

    /** Sends a value: returns null if somebody would have to wait, and how the channel was closed if it is. */
    @Nullable
    Object offer(Object value) {
        if (closing != null) {
            return closing;
        }
        if (!receivers.isEmpty() && handOver(value)) {
            return SENT;
        }
        if (ring.size() < capacity) {
            ring.add(value);
            return SENT;
        }
        if (conflated) {
            ring.replaceLast(value);
            return SENT;
        }
        return null;
    }

    private boolean handOver(Object value) {
        for (Place place = receivers.poll(); place != null; place = receivers.poll()) {
            place.item = value;
            served = place.serve();
            if (served != null) {
                return true;
            }
        }
        return false;
    }

    /** Whether {@link #poll} would find something; or only dead places, and then it finds out and removes them. */
    final boolean mayPoll() {
        return ring.size() > 0 || !senders.isEmpty() || closing != null;
    }

    /** Receives a value: returns null if there is none, and how the channel was closed if it is and nothing is left. */
    @Nullable
    Object poll() {
        Object first = ring.poll();
        if (!senders.isEmpty()) {
            Object next = takeOver();
            if (first == null) {
                first = next;
            } else if (next != null) {
                ring.add(next); // there is room: one was just taken
            }
        }
        return first == null ? closing : first;
    }

    private @Nullable Object takeOver() {
        for (Place place = senders.poll(); place != null; place = senders.poll()) {
            Object value = place.item;
            place.item = null;
            served = place.serve();
            if (served != null) {
                return value;
            }
        }
        return null;
    }

    final boolean isClosing() {
        return closing != null;
    }

    // Around the lock.

    final Place unlockAndEnlist(Line line, @Nullable Object value) {
        try {
            Place place = new Place(value);
            line.add(place);
            return place;
        } finally {
            unlock();
        }
    }

    /** What became of a sender's wait that is over. */
    final Object sent(Place place) {
        return place.item == null ? SENT : closed();
    }

    /** What became of a receiver's wait that is over. */
    final Object received(Place place) {
        Object value = place.item;
        return value == null ? closed() : value;
    }

    private Closing closed() {
        return Objects.requireNonNull(closing, "closing"); // written before the wait was ended
    }

    /** Takes a place that was not served out of its line. */
    final void remove(Line line, Place place) {
        place.leave(line, lock);
    }

    /** Waits to be served; false at an interrupt. */
    final boolean awaitServed(Line line, Place place) {
        return place.awaitServed(line, lock);
    }

    /** As {@link #awaitServed}, and false when the time is over too. */
    final boolean awaitServed(Line line, Place place, long nanos) {
        return place.awaitServed(line, lock, System.nanoTime() + nanos);
    }

    final boolean close(Closing how) {
        lock.lock();
        boolean first = closing == null;
        Place receiving = null;
        Place sending = null;
        if (first) {
            closing = how;
            receiving = receivers.pollAll();
            sending = senders.pollAll();
        }
        unlock(); // tells those who wait for the end
        Place.serveAll(receiving);
        Place.serveAll(sending);
        return first;
    }

    @Override
    public final String toString() {
        String kind = conflated
                ? "conflated"
                : switch (capacity) {
                    case 0 -> "rendezvous";
                    case Integer.MAX_VALUE -> "unbounded";
                    default -> "buffered(" + capacity + ")";
                };
        int size = ring.size(); // without the lock, since a debugger may have stopped the one who holds it
        return "Channel[" + kind + ", " + size + (size == 1 ? " value" : " values")
                + (senders.isEmpty() ? "" : ", senders waiting")
                + (receivers.isEmpty() ? "" : ", receivers waiting")
                + (closing == null ? "" : ", closed") + "]";
    }
}
