package io.skein.sync;

import io.skein.internal.sync.Admission;
import io.skein.internal.sync.Patience;
import java.time.Duration;

/**
 * A count that goes down to zero, once. Any thread may count and wait.
 *
 * <pre>{@code
 * Latch ready = new Latch(3);
 * for (int i = 0; i < 3; i++) {
 *     scope.fork(() -> {
 *         prepare();
 *         ready.countDown();
 *         serve();
 *     });
 * }
 * ready.await();
 * }</pre>
 *
 * <p>What a thread did before it counted down is seen by whoever waited for zero.
 */
public final class Latch {
    private static final class Count extends Admission {
        Count(int count) {
            super(count);
        }

        @Override
        protected long entered(long count, long none) {
            return count == 0 ? 0 : REFUSED;
        }

        @Override
        protected long left(long count, long down) {
            return Math.max(0, count - down);
        }
    }

    private final Count count;

    public Latch(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("count: " + count + ", must be 0 or more");
        }
        this.count = new Count(count);
    }

    /** Counts one down. Does nothing at zero. */
    public void countDown() {
        count.leave(1);
    }

    /** What is left. */
    public int count() {
        return (int) count.word();
    }

    /**
     * Waits for zero.
     *
     * @throws InterruptedException if the thread is interrupted first
     */
    public void await() throws InterruptedException {
        count.enter(0, Patience.ENDLESS);
    }

    /**
     * Waits for zero, no longer than so long.
     *
     * @return whether it was reached
     * @throws InterruptedException if the thread is interrupted first
     */
    public boolean await(Duration timeout) throws InterruptedException {
        return count.tryEnter(0) || count.enter(0, Patience.of(timeout));
    }

    /** Whether nobody waits. For tests. */
    boolean isDeserted() {
        return count.isDeserted();
    }

    @Override
    public String toString() {
        int left = count();
        return left == 0 ? "Latch[open]" : "Latch[" + left + " to go" + count.waitersDescribed() + "]";
    }
}
