package io.skein.sync;

import io.skein.internal.Budget;
import io.skein.internal.sync.BriefLock;
import io.skein.internal.sync.Patience;
import io.skein.internal.sync.WaitQueue;
import io.skein.internal.sync.WaitQueue.Place;
import io.skein.internal.sync.WaitQueue.Served;
import io.skein.internal.sync.Waiter;
import io.skein.internal.time.Durations;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Something that happens and brings a value, until it is reset. Any thread may set it, reset it and wait for it.
 *
 * <pre>{@code
 * ValueEvent<Config> loaded = new ValueEvent<>();
 * skein.spawn(() -> loaded.set(load(path)));
 * Config config = loaded.await();
 * }</pre>
 *
 * <p>The first {@link #set} counts, until a {@link #reset}. Everybody who waits at the time of the {@code set} gets its value,
 * even if it is reset before they run. What a thread did before the {@code set} is seen by whoever waited for it.
 *
 * @param <T> the type of the value
 */
public final class ValueEvent<T extends @Nullable Object> {
    private static final Object UNSET = new Object();

    // Invariants. The value changes under the lock only. Nobody is in line while there is one. Whoever was taken out of
    // line by somebody else has the value in its place.

    private final BriefLock lock = new BriefLock();
    private final WaitQueue line = new WaitQueue();
    private volatile @Nullable Object value = UNSET;

    /** An event that is not set. */
    public ValueEvent() {}

    /**
     * Sets the event, and lets everybody who waits go on.
     *
     * @return false if it was set already; then it keeps the value that it had
     */
    public boolean set(T value) {
        Budget.spend();
        Served served = new Served();
        lock.lock();
        try {
            if (isSet()) {
                return false;
            }
            this.value = value;
            for (Place place = line.poll(); place != null; place = line.poll()) {
                place.setItem(value);
                served.add(place);
            }
        } finally {
            lock.unlock();
        }
        served.resume();
        return true;
    }

    /** Takes the value back, if there is one: from now on everybody waits for the next. */
    public void reset() {
        lock.lock();
        value = UNSET;
        lock.unlock();
    }

    public boolean isSet() {
        return value != UNSET;
    }

    /**
     * Waits for the event.
     *
     * @return its value
     * @throws InterruptedException if the thread is interrupted first
     */
    public T await() throws InterruptedException {
        Object got = await(Patience.ENDLESS);
        return cast(got);
    }

    /**
     * Waits for the event, no longer than so long.
     *
     * @return its value
     * @throws TimeoutException if it did not happen in that time
     * @throws InterruptedException if the thread is interrupted first
     */
    public T await(Duration timeout) throws InterruptedException, TimeoutException {
        Object got = value;
        if (got == UNSET) {
            got = await(Patience.of(timeout));
        }
        if (got == UNSET) {
            throw new TimeoutException("the event did not happen within " + Durations.text(timeout));
        }
        return cast(got);
    }

    /** Returns UNSET if patience came to an end before. */
    private @Nullable Object await(Patience patience) throws InterruptedException {
        Budget.spend();
        Object seen = value;
        if (seen != UNSET) {
            return seen;
        }
        patience.checkInterrupt();
        Place place = new Place(new Waiter(), UNSET);
        lock.lock();
        seen = value;
        if (seen == UNSET) {
            line.add(place);
        }
        lock.unlock();
        if (seen != UNSET) {
            return seen;
        }
        boolean resumed;
        try {
            resumed = patience.await(place.waiter());
        } catch (Throwable e) { // for lack of stack or memory
            if (removed(place)) {
                throw e;
            }
            resumed = true;
        }
        if (!resumed && removed(place)) {
            patience.gaveUp();
        }
        return place.item();
    }

    private boolean removed(Place place) {
        lock.lockAgain();
        boolean waited = place.inLine();
        line.remove(place);
        lock.unlock();
        return waited;
    }

    /** Whether nobody waits. For tests. */
    boolean isDeserted() {
        return line.isEmpty();
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // only a T is set, which may be nullable
    private T cast(@Nullable Object got) {
        return (T) got;
    }

    @Override
    public String toString() {
        Object seen = value;
        return seen == UNSET ? "ValueEvent[not set" + line.described() + "]" : "ValueEvent[set to " + seen + "]";
    }
}
