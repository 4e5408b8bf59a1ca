package io.skein.sync;

import io.skein.internal.sync.Patience;
import io.skein.internal.sync.WaitQueue;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Something that may come true while others hold a {@link Mutex}. Only the mutex's holder may call it, anything else throws
 * {@link IllegalMonitorStateException}.
 *
 * <pre>{@code
 * private final Mutex mutex = new Mutex();
 * private final Condition notEmpty = mutex.newCondition();
 *
 * Order take() throws Exception {
 *     return mutex.withLock(() -> {
 *         notEmpty.await(() -> !orders.isEmpty());
 *         return orders.remove();
 *     });
 * }
 *
 * void put(Order order) throws Exception {
 *     mutex.withLock(() -> {
 *         orders.add(order);
 *         notEmpty.signal();
 *     });
 * }
 * }</pre>
 *
 * <p>Whoever waits does not hold the mutex meanwhile, and <b>holds it again when the wait is over, however it ends</b>: by a
 * signal, the time, an interrupt or an exception of the predicate. No interrupt and no bound shortens the wait for the
 * mutex itself.
 *
 * <p>Those who wait are signalled in the order in which they came, and a signal reaches one who still waits. There are no wake-ups
 * without a signal. Still, others may hold the mutex between the signal and the return, so the predicate
 * has to be looked at again: the forms with a predicate do.
 */
public final class Condition {
    private final Mutex mutex;

    /** Guarded by the mutex's tenure. */
    private final WaitQueue waiting = new WaitQueue();

    Condition(Mutex mutex) {
        this.mutex = mutex;
    }

    /**
     * Waits for a signal.
     *
     * @throws InterruptedException if the thread is interrupted before a signal reaches it; it holds the mutex
     */
    public void await() throws InterruptedException {
        await(Patience.ENDLESS);
    }

    /**
     * Waits for a signal, no longer than so long.
     *
     * @return whether there was one
     * @throws InterruptedException as {@link #await()}
     */
    public boolean await(Duration timeout) throws InterruptedException {
        return await(Patience.of(timeout));
    }

    /**
     * Waits until a predicate holds, which is looked at first and after each signal, with the mutex held.
     *
     * @throws InterruptedException as {@link #await()}
     */
    public void await(BooleanSupplier predicate) throws InterruptedException {
        await(predicate, Patience.ENDLESS);
    }

    /**
     * As {@link #await(BooleanSupplier)}, no longer than so long.
     *
     * @return whether the predicate holds
     * @throws InterruptedException as {@link #await()}
     */
    public boolean await(BooleanSupplier predicate, Duration timeout) throws InterruptedException {
        return await(predicate, Patience.of(timeout));
    }

    private boolean await(BooleanSupplier predicate, Patience patience) throws InterruptedException {
        mutex.checkHeld("await");
        while (!predicate.getAsBoolean()) {
            if (!await(patience)) {
                return predicate.getAsBoolean();
            }
        }
        return true;
    }

    private boolean await(Patience patience) throws InterruptedException {
        mutex.checkHeld("await");
        return mutex.tenure().awaitSignal(waiting, patience);
    }

    /** Signals the one who has waited longest, if anybody waits. It goes on once it has the mutex. */
    public void signal() {
        mutex.checkHeld("signal");
        mutex.tenure().signal(waiting, 1);
    }

    /** Signals everybody who waits now. They go on one by one, as each gets the mutex. */
    public void signalAll() {
        mutex.checkHeld("signalAll");
        mutex.tenure().signal(waiting, Integer.MAX_VALUE);
    }

    /** Whether nobody waits. For tests. */
    boolean isDeserted() {
        return waiting.isEmpty();
    }

    @Override
    public String toString() {
        return "Condition[of " + mutex + waiting.described() + "]";
    }
}
