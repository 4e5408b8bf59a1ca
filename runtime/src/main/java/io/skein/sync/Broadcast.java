package io.skein.sync;

import io.skein.internal.Budget;
import io.skein.internal.sync.BriefLock;
import io.skein.internal.time.Timers;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A way for values from those who send to everyone who has subscribed. Each subscriber receives every value that is sent after
 * it subscribed, all of them in the same order. Safe for use by any number of threads of any kind.
 *
 * <pre>{@code
 * Broadcast<Price> prices = Broadcast.dropping(16);
 *
 * try (var mine = prices.subscribe()) {
 *     for (Price price : mine) {
 *         show(price);
 *     }
 * }
 * }</pre>
 *
 * <p>A broadcast holds so many values. What happens when the slowest subscriber is that far behind is chosen when it is made:
 * {@link #waiting} makes senders wait for it, {@link #dropping} drops the oldest value, and {@link Subscription#missed} tells
 * each subscriber how many it missed. What is sent while nobody has subscribed is received by nobody.
 *
 * @param <T> the type of the values
 */
public final class Broadcast<T> implements Sender<T> {
    /*
     * Values are numbered. Those from oldest to before newest are kept, each in the slot of its number, with the count of
     * subscribers that have not read it. A value that everyone has read is let go when all before it are. Guarded by the lock.
     */

    private static final Object SENT = new Object();

    final BriefLock lock = new BriefLock();
    private final boolean dropping;
    final @Nullable Object[] values;
    private final int[] unread;
    private final Line senders = new Line();
    final Line receivers = new Line();

    /** Those who wait for a subscription's end, and for no value. */
    final Line awaitingEnd = new Line();

    /** Senders who were served, and receivers who have left their line; linked, and to be woken by who gives the lock back. */
    private @Nullable Place sent;

    private @Nullable Place told;

    /** Those who have waited for an end and look again, likewise. */
    private @Nullable Place ending;

    int subscribers;
    long oldest;
    long newest;

    @Nullable
    Closing closing;

    private Broadcast(int capacity, boolean dropping) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity + "; at least 1 value must be held");
        }
        this.dropping = dropping;
        this.values = new Object[capacity];
        this.unread = new int[capacity];
    }

    /**
     * A broadcast whose senders wait while a subscriber is so many values behind.
     *
     * @throws IllegalArgumentException if the capacity is less than 1
     */
    public static <T> Broadcast<T> waiting(int capacity) {
        return new Broadcast<>(capacity, false);
    }

    /**
     * A broadcast whose senders never wait: a subscriber that is so many values behind misses the oldest.
     *
     * @throws IllegalArgumentException if the capacity is less than 1
     */
    public static <T> Broadcast<T> dropping(int capacity) {
        return new Broadcast<>(capacity, true);
    }

    /** A subscription to all values that are sent from now on. It must be closed, or it holds senders up. */
    public Subscription<T> subscribe() {
        lock.lock();
        try {
            Subscription<T> subscription = new Subscription<>(this, newest);
            subscribers++;
            return subscription;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void send(T value) throws InterruptedException {
        Budget.spend();
        Place place = new Place(Objects.requireNonNull(value, "value"));
        Object outcome = offerOrEnlist(place);
        if (outcome == null) {
            if (!place.awaitServed(senders, lock)) {
                throw interrupted(place);
            }
            outcome = sent(place);
        }
        Closing.throwIfClosed(outcome);
    }

    @Override
    public boolean trySend(T value) {
        Budget.spend();
        Objects.requireNonNull(value, "value");
        Object outcome;
        lock.lock();
        try {
            outcome = offer(value);
        } finally {
            unlock();
        }
        Closing.throwIfClosed(outcome);
        return outcome != null;
    }

    @Override
    public boolean trySend(T value, Duration atMost) throws InterruptedException {
        Budget.spend();
        long deadline = Timers.deadlineAfter(atMost);
        Place place = new Place(Objects.requireNonNull(value, "value"));
        Object outcome = offerOrEnlist(place);
        if (outcome == null) {
            if (!place.awaitServed(senders, lock, deadline)) {
                if (Thread.currentThread().isInterrupted()) {
                    throw interrupted(place);
                }
                remove(place);
                return false;
            }
            outcome = sent(place);
        }
        Closing.throwIfClosed(outcome);
        return true;
    }

    @Override
    public void close() {
        close(new Closing(null));
    }

    @Override
    public boolean closeWith(Throwable cause) {
        return close(new Closing(Objects.requireNonNull(cause, "cause")));
    }

    private boolean close(Closing how) {
        lock.lock();
        boolean first = closing == null;
        Place sending = null;
        if (first) {
            closing = how;
            sending = senders.pollAll();
            tellReceivers();
        }
        unlock();
        Place.serveAll(sending);
        return first;
    }

    @Override
    public boolean isClosed() {
        lock.lock();
        boolean closed = closing != null;
        lock.unlock();
        return closed;
    }

    @Override
    public String toString() { // without the lock, since a debugger may have stopped the one who holds it
        return "Broadcast[" + (dropping ? "dropping" : "waiting") + ", " + (newest - oldest) + " of " + values.length
                + " values, " + subscribers + (subscribers == 1 ? " subscriber" : " subscribers")
                + (senders.isEmpty() ? "" : ", senders waiting") + (closing == null ? "" : ", closed") + "]";
    }

    // Under the lock.

    private @Nullable Object offer(Object value) {
        if (closing != null) {
            return closing;
        }
        if (newest - oldest == values.length) {
            if (!dropping) {
                return null;
            }
            dropOldest();
        }
        append(value);
        return SENT;
    }

    private void append(Object value) {
        if (subscribers == 0) {
            return;
        }
        int slot = slot(newest++);
        values[slot] = value;
        unread[slot] = subscribers;
        tellReceivers();
    }

    private void dropOldest() {
        values[slot(oldest++)] = null;
    }

    int slot(long number) {
        return (int) (number % values.length);
    }

    void tellReceivers() {
        if (told == null) { // or nobody has got in line since
            told = receivers.pollAll();
        }
    }

    /** A subscription may have ended. */
    void tellEnd() {
        if (ending == null) { // or nobody has got in line since
            ending = awaitingEnd.pollAll();
        }
    }

    /** Somebody has read a value, or will not. */
    void countRead(long number) {
        unread[slot(number)]--;
        while (oldest < newest && unread[slot(oldest)] == 0) {
            dropOldest();
        }
        while (newest - oldest < values.length) {
            Place place = senders.poll();
            if (place == null) {
                return;
            }
            Object value = Objects.requireNonNull(place.item, "value");
            place.item = null;
            if (place.serve() != null) {
                place.next = sent;
                sent = place;
                append(value);
            }
        }
    }

    // Around the lock.

    /** Gives the lock back, and wakes whom its holder has served. */
    void unlock() {
        if (closing != null) {
            tellEnd(); // whoever read the last value
        }
        Place sender = sent;
        Place receiver = told;
        Place ender = ending;
        sent = null;
        told = null;
        ending = null;
        lock.unlock();
        Place.serveAll(receiver);
        Place.serveAll(ender);
        while (sender != null) {
            Place after = sender.unlinked();
            sender.wake();
            sender = after;
        }
    }

    private @Nullable Object offerOrEnlist(Place place) {
        lock.lock();
        try {
            Object outcome = offer(Objects.requireNonNull(place.item, "value"));
            if (outcome == null) {
                senders.add(place);
            }
            return outcome;
        } finally {
            unlock();
        }
    }

    private Object sent(Place place) {
        return place.item == null
                ? SENT
                : Objects.requireNonNull(closing, "closing"); // written before the wait was ended
    }

    private void remove(Place place) {
        place.leave(senders, lock);
    }

    private InterruptedException interrupted(Place place) {
        remove(place);
        Thread.interrupted(); // told by the exception instead
        return new InterruptedException("interrupted while waiting to send");
    }
}
