package io.skein.sync;

import io.skein.internal.Budget;
import io.skein.internal.sync.Admission;
import io.skein.internal.sync.Patience;
import java.time.Duration;

/**
 * Something that happens, until it is reset. Any thread may set it, reset it and wait for it.
 *
 * <pre>{@code
 * Event started = new Event();
 * skein.spawn(() -> {
 *     prepare();
 *     started.set();
 *     serve();
 * });
 * started.await();
 * }</pre>
 *
 * <p>Once set, it lets everybody through until somebody resets it. Everybody who waits at the time of the {@link #set} goes on, even
 * if it is reset before they run. What a thread did before the {@code set} is seen by whoever waited for it. For an event
 * with a value there is {@link ValueEvent}.
 */
public final class Event {
    private static final long RESET = 0;
    private static final long SET = 1;

    /** The word is SET or RESET. */
    private static final class State extends Admission {
        State() {
            super(RESET);
        }

        @Override
        protected long entered(long state, long none) {
            return state == SET ? SET : REFUSED;
        }

        @Override
        protected long left(long state, long next) {
            return next;
        }
    }

    private final State state = new State();

    /** An event that is not set. */
    public Event() {}

    /** Sets the event, and lets everybody who waits go on. Does nothing if it is set. */
    public void set() {
        Budget.spend();
        state.leave(SET);
    }

    /** From now on everybody waits for the next {@link #set}. Does nothing if it is not set. */
    public void reset() {
        state.leave(RESET);
    }

    public boolean isSet() {
        return state.word() == SET;
    }

    /**
     * Waits for the event.
     *
     * @throws InterruptedException if the thread is interrupted first
     */
    public void await() throws InterruptedException {
        state.enter(0, Patience.ENDLESS);
    }

    /**
     * Waits for the event, no longer than so long.
     *
     * @return whether it happened
     * @throws InterruptedException if the thread is interrupted first
     */
    public boolean await(Duration timeout) throws InterruptedException {
        return state.tryEnter(0) || state.enter(0, Patience.of(timeout));
    }

    /** Whether nobody waits. For tests. */
    boolean isDeserted() {
        return state.isDeserted();
    }

    @Override
    public String toString() {
        return isSet() ? "Event[set]" : "Event[not set" + state.waitersDescribed() + "]";
    }
}
