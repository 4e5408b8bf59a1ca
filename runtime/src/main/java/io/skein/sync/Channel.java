package io.skein.sync;

import io.skein.internal.Budget;
import io.skein.internal.time.Timers;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A way for values from those who send to those who receive. Safe for use by any number of threads of any kind: a coroutine that
 * waits suspends, any other thread blocks.
 *
 * <pre>{@code
 * Channel<Order> orders = Channel.buffered(100);
 *
 * scope.fork(() -> {
 *     for (Order order : orders) {       // until it is closed
 *         process(order);
 *     }
 * });
 * orders.send(order);                    // waits while 100 are underway
 * orders.close();
 * }</pre>
 *
 * <p>Four kinds, which differ in how many values are underway before a sender waits: none ({@link #rendezvous}), so many
 * ({@link #buffered}), any number ({@link #unbounded}); and {@link #conflated}, which keeps the newest value only.
 *
 * <p>Every value is received once. What one thread sends is received in the order it was sent, and those who wait are served in
 * the order they came. What a thread did before it sent a value is seen by the one who received it. Null is not a value.
 *
 * <p>A thread that is interrupted while it waits gets {@link InterruptedException}, and its value was not sent, or none was
 * received. If it was served before, the call returns as usual and the interrupt status stays set. A call that need not wait
 * takes no notice of the interrupt status.
 *
 * <p>A closed channel takes no more values, and gives out those that were underway. After that, and to senders at once, it
 * throws {@link ChannelClosedException}.
 *
 * <p>Of the forms whose names begin with {@code try}, those without a duration never wait, and those with one wait no longer than
 * that. They return {@code false}, or null, where nothing was sent or received.
 *
 * @param <T> the type of the values
 */
public final class Channel<T> extends Exchange implements Sender<T>, Receiver<T> {
    private Channel(int capacity, boolean conflated) {
        super(capacity, conflated);
    }

    /** A channel that holds nothing: who sends waits for who receives. */
    public static <T> Channel<T> rendezvous() {
        return new Channel<>(0, false);
    }

    /**
     * A channel that holds so many values; who sends waits while it is full.
     *
     * @throws IllegalArgumentException if the capacity is less than 1
     */
    public static <T> Channel<T> buffered(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException(
                    "capacity: " + capacity + "; a channel that holds nothing is a rendezvous");
        }
        return new Channel<>(capacity, false);
    }

    /** A channel that holds any number of values. Nobody waits to send, so nothing slows senders down but the memory's end. */
    public static <T> Channel<T> unbounded() {
        return new Channel<>(Integer.MAX_VALUE, false);
    }

    /** A channel that holds one value: the newest. Nobody waits to send; a value that nobody has received yet is replaced. */
    public static <T> Channel<T> conflated() {
        return new Channel<>(1, true);
    }

    // Sending.

    @Override
    public void send(T value) throws InterruptedException {
        Budget.spend();
        Object outcome = lockAndOffer(value);
        if (outcome == null) {
            Place place = unlockAndEnlist(senders, value);
            if (!awaitServed(senders, place)) {
                throw interrupted(senders, place);
            }
            outcome = sent(place);
        } else {
            unlock();
        }
        Closing.throwIfClosed(outcome);
    }

    @Override
    public boolean trySend(T value) {
        Budget.spend();
        Object outcome = lockAndOffer(value);
        unlock();
        Closing.throwIfClosed(outcome);
        return outcome != null;
    }

    @Override
    public boolean trySend(T value, Duration atMost) throws InterruptedException {
        Budget.spend();
        long nanos = Timers.nanos(atMost);
        Object outcome = lockAndOffer(value);
        if (outcome == null) {
            Place place = unlockAndEnlist(senders, value);
            if (!awaitServed(senders, place, nanos)) {
                leave(senders, place);
                return false;
            }
            outcome = sent(place);
        } else {
            unlock();
        }
        Closing.throwIfClosed(outcome);
        return true;
    }

    // Receiving.

    @Override
    public T receive() throws InterruptedException {
        Budget.spend();
        lock();
        Object outcome = poll();
        if (outcome == null) {
            Place place = unlockAndEnlist(receivers, null);
            if (!awaitServed(receivers, place)) {
                throw interrupted(receivers, place);
            }
            outcome = received(place);
        } else {
            unlock();
        }
        Closing.throwIfClosed(outcome);
        return cast(outcome);
    }

    @Override
    public @Nullable T tryReceive() {
        Budget.spend();
        lock();
        Object outcome = poll();
        unlock();
        Closing.throwIfClosed(outcome);
        return outcome == null ? null : cast(outcome);
    }

    @Override
    public @Nullable T tryReceive(Duration atMost) throws InterruptedException {
        Budget.spend();
        long nanos = Timers.nanos(atMost);
        lock();
        Object outcome = poll();
        if (outcome == null) {
            Place place = unlockAndEnlist(receivers, null);
            if (!awaitServed(receivers, place, nanos)) {
                leave(receivers, place);
                return null;
            }
            outcome = received(place);
        } else {
            unlock();
        }
        Closing.throwIfClosed(outcome);
        return cast(outcome);
    }

    // Closing.

    @Override
    public void close() {
        close(new Closing(null));
    }

    @Override
    public boolean closeWith(Throwable cause) {
        return close(new Closing(Objects.requireNonNull(cause, "cause")));
    }

    @Override
    public boolean isClosed() {
        lock();
        boolean closed = isClosing();
        unlock();
        return closed;
    }

    // Around the lock.

    /** Returns with the lock held. */
    private @Nullable Object lockAndOffer(T value) {
        Objects.requireNonNull(value, "value");
        lock();
        try {
            return offer(value);
        } catch (Throwable e) { // no memory for a larger ring
            unlock();
            throw e;
        }
    }

    private InterruptedException interrupted(Line line, Place place) {
        remove(line, place);
        Thread.interrupted(); // told by the exception instead
        return new InterruptedException("interrupted while waiting to " + (line == senders ? "send" : "receive"));
    }

    private void leave(Line line, Place place) throws InterruptedException {
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted(line, place);
        }
        remove(line, place);
    }

    @SuppressWarnings("unchecked") // only values of T are sent
    T cast(Object value) {
        return (T) value;
    }
}
