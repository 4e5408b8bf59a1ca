package io.skein.time;

import io.skein.internal.time.Durations;
import io.skein.internal.time.Timers;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A time until which something has to be done. Immutable, for use by any thread.
 *
 * <p>A deadline is made once and handed down through the calls that together have so much time. Unlike a {@link Duration}, it does not
 * have to be made smaller on the way:
 *
 * <pre>{@code
 * Page load(Deadline deadline) throws Exception {
 *     User user = Time.timeout(deadline, () -> findUser(id));
 *     List<Order> orders = Time.timeout(deadline, () -> findOrders(id));   // with what time is left
 *     return new Page(user, orders);
 * }
 *
 * load(Deadline.after(Duration.ofSeconds(2)));
 * }</pre>
 *
 * <p>It is a time of {@link System#nanoTime}, so it knows nothing of changes to the clock, and means nothing in another JVM.
 */
public final class Deadline implements Comparable<Deadline> {
    private final long nanoTime;

    private Deadline(long nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * The time when so much has passed from now on.
     *
     * @param duration zero or negative for now; at most about 146 years, and more counts as that
     */
    public static Deadline after(Duration duration) {
        return new Deadline(Timers.deadlineAfter(Objects.requireNonNull(duration, "duration")));
    }

    /** How much time is left; zero if none is. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, nanoTime - System.nanoTime()));
    }

    /** Whether no time is left. */
    public boolean isOver() {
        return nanoTime - System.nanoTime() <= 0;
    }

    /** The earlier of this deadline and another. */
    public Deadline orEarlier(Deadline other) {
        return compareTo(other) <= 0 ? this : other;
    }

    /** What {@link System#nanoTime} returns when it is over, for code that counts in that. */
    public long nanoTime() {
        return nanoTime;
    }

    /** The earlier is the smaller. */
    @Override
    public int compareTo(Deadline other) {
        return Long.signum(nanoTime - other.nanoTime);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Deadline deadline && deadline.nanoTime == nanoTime;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(nanoTime);
    }

    @Override
    public String toString() {
        return "Deadline[" + (isOver() ? "over" : Durations.text(remaining()) + " left") + "]";
    }
}
