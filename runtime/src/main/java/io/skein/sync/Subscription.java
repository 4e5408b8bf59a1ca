package io.skein.sync;

import io.skein.internal.sync.BriefLock;
import org.jspecify.annotations.Nullable;

/**
 * What one subscriber of a {@link Broadcast} receives. Several threads may share it: then each value goes to one of them.
 *
 * @param <T> the type of the values
 */
public final class Subscription<T> extends Listener<T> implements AutoCloseable {
    private static final Closing ENDED = new Closing(null);

    private final Broadcast<T> broadcast;
    private long next;
    private long missed;
    private boolean ended;

    Subscription(Broadcast<T> broadcast, long next) {
        this.broadcast = broadcast;
        this.next = next;
    }

    /** How many values were dropped before this subscriber received them, in all. */
    public long missed() {
        lock().lock();
        catchUp();
        long count = missed;
        unlock();
        return count;
    }

    /** Ends the subscription; who waits for a value of it gets {@link ChannelClosedException}. May be called twice. */
    @Override
    public void close() {
        lock().lock();
        try {
            if (!ended) {
                catchUp();
                ended = true;
                broadcast.subscribers--;
                for (long end = broadcast.newest; next < end; next++) {
                    broadcast.countRead(next);
                }
                broadcast.tellReceivers();
                broadcast.tellEnd();
            }
        } finally {
            unlock();
        }
    }

    private void catchUp() {
        if (next < broadcast.oldest && !ended) {
            missed += broadcast.oldest - next;
            next = broadcast.oldest;
        }
    }

    @Override
    BriefLock lock() {
        return broadcast.lock;
    }

    @Override
    void unlock() {
        broadcast.unlock();
    }

    @Override
    Line waiting() {
        return broadcast.receivers;
    }

    @Override
    Line awaitingEnd() {
        return broadcast.awaitingEnd;
    }

    @Override
    boolean isEnded() {
        catchUp();
        return ended || (broadcast.closing != null && next == broadcast.newest);
    }

    @Override
    @Nullable
    Object poll() {
        if (ended) {
            return ENDED;
        }
        catchUp();
        if (next == broadcast.newest) {
            return broadcast.closing;
        }
        Object value = broadcast.values[broadcast.slot(next)];
        broadcast.countRead(next++);
        return value;
    }
}
