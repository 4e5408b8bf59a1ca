package io.skein.sync;

import io.skein.internal.Budget;
import io.skein.internal.sync.Admission;
import io.skein.internal.sync.Patience;
import java.time.Duration;

/**
 * A count of work that is under way, and a way to wait for the end of all of it. Any thread may add, be done, and wait. Used once.
 *
 * <pre>{@code
 * WaitGroup group = new WaitGroup();
 * group.add();                                    // for the one who hands out the work
 * for (Job job : jobs) {
 *     group.add();                                // before the work begins
 *     skein.spawn(() -> {
 *         try {
 *             job.run();                          // may add more
 *         } finally {
 *             group.done();
 *         }
 *     });
 * }
 * group.done();
 * group.await();
 * }</pre>
 *
 * <p>A group begins at zero, and so long as nothing was added there is nothing to wait for: {@link #await()} returns at once. When the
 * last one is done, the group has ended: everybody who waits goes on, nobody waits any more, and an {@link #add} after that throws
 * {@link IllegalStateException}, because those who waited for the end have gone on without it.
 *
 * <p>What a thread did before it was done is seen by whoever waited.
 */
public final class WaitGroup {
    private static final long DONE = -1;

    /** The word is how many are under way, or ENDED. */
    private static final class Pending extends Admission {
        private static final long ENDED = 1L << 32;

        Pending() {
            super(0);
        }

        @Override
        protected long entered(long pending, long none) {
            return pending == 0 || pending == ENDED ? pending : REFUSED;
        }

        @Override
        protected long left(long pending, long added) {
            return added == DONE ? afterDone(pending) : afterAdd(pending, added);
        }

        private static long afterDone(long pending) {
            if (pending == 0 || pending == ENDED) {
                throw new IllegalStateException("done was called more often than there was something added");
            }
            return pending == 1 ? ENDED : pending - 1;
        }

        private static long afterAdd(long pending, long added) {
            if (pending == ENDED) {
                throw new IllegalStateException(
                        "add to a wait group that has reached zero: add before the last done, or use a new group");
            }
            if (pending + added > Integer.MAX_VALUE) {
                throw new IllegalStateException(
                        "added " + added + " to " + pending + " under way: more than a group can count");
            }
            return pending + added;
        }

        int count() {
            long seen = word();
            return seen == ENDED ? 0 : (int) seen;
        }
    }

    private final Pending pending = new Pending();

    /** A group to which nothing was added. */
    public WaitGroup() {}

    /** Adds one, as {@link #add(int)}. */
    public void add() {
        Budget.spend();
        pending.leave(1);
    }

    /**
     * Adds so many that are to be waited for.
     *
     * @throws IllegalStateException if the group has reached zero, or there would be more than {@link Integer#MAX_VALUE}
     */
    public void add(int count) {
        Budget.spend();
        if (count < 1) {
            throw new IllegalArgumentException("count: " + count + ", must be 1 or more");
        }
        pending.leave(count);
    }

    /**
     * Says that one is done.
     *
     * @throws IllegalStateException if none is under way
     */
    public void done() {
        pending.leave(DONE);
    }

    /** How many are under way. */
    public int count() {
        return pending.count();
    }

    /**
     * Waits until none is under way.
     *
     * @throws InterruptedException if the thread is interrupted first
     */
    public void await() throws InterruptedException {
        pending.enter(0, Patience.ENDLESS);
    }

    /**
     * Waits until none is under way, no longer than so long.
     *
     * @return whether that was reached
     * @throws InterruptedException if the thread is interrupted first
     */
    public boolean await(Duration timeout) throws InterruptedException {
        return pending.tryEnter(0) || pending.enter(0, Patience.of(timeout));
    }

    /** Whether nobody waits. For tests. */
    boolean isDeserted() {
        return pending.isDeserted();
    }

    @Override
    public String toString() {
        return "WaitGroup[" + count() + " under way" + pending.waitersDescribed() + "]";
    }
}
