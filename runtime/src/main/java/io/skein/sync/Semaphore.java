package io.skein.sync;

import io.skein.Action;
import io.skein.internal.sync.Admission;
import io.skein.internal.sync.Patience;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A number of permits. Any thread may acquire and release them, and one may release what another has acquired.
 *
 * <pre>{@code
 * private final Semaphore connections = new Semaphore(10);
 *
 * Page load(URI address) throws Exception {
 *     return connections.withPermit(() -> fetch(address));    // at most ten at once
 * }
 * }</pre>
 *
 * <p>First come, first served: nobody gets permits while somebody waits who came before, be it for more than there are. So a
 * large request is not starved by small ones.
 *
 * <p>What a thread did before it released a permit is seen by whoever acquires it.
 */
public final class Semaphore {
    /** The word is the number of permits. */
    private static final class Permits extends Admission {
        Permits(int permits) {
            super(permits);
        }

        @Override
        protected long entered(long available, long wanted) {
            return available >= wanted ? available - wanted : REFUSED;
        }

        @Override
        protected long left(long available, long released) {
            long all = available + released;
            if (all > Integer.MAX_VALUE) {
                throw new IllegalStateException(
                        "released " + released + " onto " + available + " permits: more than a semaphore can have");
            }
            return all;
        }
    }

    private final Permits permits;

    /**
     * @param permits how many there are at first
     */
    public Semaphore(int permits) {
        if (permits < 0) {
            throw new IllegalArgumentException("permits: " + permits + ", must be 0 or more");
        }
        this.permits = new Permits(permits);
    }

    /** Acquires one permit, as {@link #acquire(int)}. */
    public void acquire() throws InterruptedException {
        permits.enter(1, Patience.ENDLESS);
    }

    /**
     * Acquires so many permits, all at once, and waits for them if need be. What can be had at once is had even by an interrupted
     * thread; then the interrupt status stays set.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits, and has not been given the permits
     */
    public void acquire(int count) throws InterruptedException {
        permits.enter(checked(count), Patience.ENDLESS);
    }

    /** Acquires one permit if there is one and nobody waits. */
    public boolean tryAcquire() {
        return permits.tryEnter(1);
    }

    /** Acquires so many permits if there are as many and nobody waits. */
    public boolean tryAcquire(int count) {
        return permits.tryEnter(checked(count));
    }

    /** As {@link #tryAcquire(int, Duration)}, for one permit. */
    public boolean tryAcquire(Duration timeout) throws InterruptedException {
        return tryAcquire(1, timeout);
    }

    /**
     * As {@link #acquire(int)}, and waits no longer than so long.
     *
     * @return whether the caller has the permits; if not, it has none of them
     * @throws InterruptedException as {@link #acquire(int)}
     */
    public boolean tryAcquire(int count, Duration timeout) throws InterruptedException {
        return tryAcquire(count) || permits.enter(count, Patience.of(timeout));
    }

    /** Releases one permit. */
    public void release() {
        permits.leave(1);
    }

    /**
     * Releases so many permits, whoever acquired them.
     *
     * @throws IllegalStateException if there would be more than {@link Integer#MAX_VALUE}; then none is released
     */
    public void release(int count) {
        permits.leave(checked(count));
    }

    /**
     * Runs a body that has a permit.
     *
     * @return what the body returned
     * @throws InterruptedException as {@link #acquire()}
     * @throws Exception what the body threw
     */
    public <T extends @Nullable Object> T withPermit(Callable<T> body) throws Exception {
        acquire();
        try {
            return body.call();
        } finally {
            release();
        }
    }

    /** As {@link #withPermit(Callable)}, for a body without a value. */
    public void withPermit(Action body) throws Exception {
        acquire();
        try {
            body.run();
        } finally {
            release();
        }
    }

    /** How many permits nobody has. By the time this returns, that may have changed. */
    public int availablePermits() {
        return (int) permits.word();
    }

    private static int checked(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("count: " + count + ", must be 1 or more");
        }
        return count;
    }

    /** Whether nobody waits. For tests. */
    boolean isDeserted() {
        return permits.isDeserted();
    }

    @Override
    public String toString() {
        return "Semaphore[" + availablePermits() + " available" + permits.waitersDescribed() + "]";
    }
}
