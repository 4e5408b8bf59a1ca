package io.skein.sync;

import io.skein.internal.Budget;
import io.skein.internal.sync.BriefLock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value that changes, and those who want to know the newest. Safe for use by any number of threads of any kind.
 *
 * <pre>{@code
 * Watch<Config> config = Watch.of(Config.load());
 *
 * for (Config newest : config.watcher()) {    // the one there is, and then each change
 *     apply(newest);
 * }
 * }</pre>
 *
 * <p>A watcher that is slow does not see every value, but never one that is older than what it has seen. Nobody waits to set.
 *
 * @param <T> the type of the value; it is never null
 */
public final class Watch<T> {
    /** Guards what follows; the value may be read without it. */
    private final BriefLock lock = new BriefLock();

    private final Line waiting = new Line();

    /** Those who wait for a watcher's end, and for no value. */
    private final Line awaitingEnd = new Line();

    private volatile T value;
    private long version = 1;
    private @Nullable Closing closing;

    private Watch(T initial) {
        this.value = Objects.requireNonNull(initial, "initial");
    }

    /** A watch with its first value. */
    public static <T> Watch<T> of(T initial) {
        return new Watch<>(initial);
    }

    /** The newest value. */
    public T get() {
        return value;
    }

    /**
     * Sets the value, equal to the one before or not, and wakes everyone who waits for one.
     *
     * @throws ChannelClosedException if the watch is closed
     */
    public void set(T newest) {
        Budget.spend();
        Objects.requireNonNull(newest, "newest");
        Closing closed;
        Place woken = null;
        lock.lock();
        closed = closing;
        if (closed == null) {
            value = newest;
            version++;
            woken = waiting.pollAll();
        }
        lock.unlock();
        Closing.throwIfClosed(closed);
        Place.serveAll(woken);
    }

    /** Says that there will be no more values. Watchers still receive the last. Does nothing if the watch is closed. */
    public void close() {
        Closing how = new Closing(null);
        lock.lock();
        if (closing == null) {
            closing = how;
        }
        Place woken = waiting.pollAll();
        unlock();
        Place.serveAll(woken);
    }

    @Override
    public String toString() {
        return "Watch[value " + value + (waiting.isEmpty() ? "" : ", watchers waiting")
                + (closing == null ? "" : ", closed") + "]";
    }

    /** Gives the lock back, and tells those who wait for an end that there may be one. */
    private void unlock() {
        Place ending = closing == null ? null : awaitingEnd.pollAll();
        lock.unlock();
        Place.serveAll(ending);
    }

    /** Somebody who wants to know the newest value: first the one that is there, and then each time that it was set. */
    public Watcher<T> watcher() {
        return new Watcher<>(this);
    }

    /**
     * What one watcher has seen. It receives the newest value once; what was set in between is passed over.
     *
     * @param <T> the type of the value
     */
    public static final class Watcher<T> extends Listener<T> {
        private final Watch<T> watch;
        private long seen;

        private Watcher(Watch<T> watch) {
            this.watch = watch;
        }

        @Override
        BriefLock lock() {
            return watch.lock;
        }

        @Override
        void unlock() {
            watch.unlock();
        }

        @Override
        Line waiting() {
            return watch.waiting;
        }

        @Override
        Line awaitingEnd() {
            return watch.awaitingEnd;
        }

        @Override
        boolean isEnded() {
            return watch.closing != null && seen == watch.version;
        }

        @Override
        @Nullable
        Object poll() {
            if (seen == watch.version) {
                return watch.closing;
            }
            seen = watch.version;
            return watch.value;
        }
    }
}
