package io.skein.sync;

import io.skein.Action;
import io.skein.internal.Budget;
import io.skein.internal.sync.Patience;
import io.skein.internal.sync.Tenure;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A lock that one thread holds at a time, coroutine or not. Any thread may take it; only its holder gives it back.
 *
 * <pre>{@code
 * private final Mutex mutex = new Mutex();
 *
 * void transfer() throws Exception {
 *     mutex.withLock(() -> {
 *         connection.write(request);      // may wait; others wait for the mutex meanwhile
 *         connection.read(response);
 *     });
 * }
 * }</pre>
 *
 * <p>It is not reentrant: a holder that locks it again is told so by an {@link IllegalStateException}.
 *
 * <p><b>Fairness.</b> Those who wait stand in line. An {@code unlock} wakes the first of them, but does not keep the mutex for it:
 * somebody who runs already may lock it first. Otherwise two threads that take turns would need a switch for each. Whoever is first
 * in line and finds that others were faster four times is given the mutex by the next {@code unlock}, and nobody can be faster. So
 * everybody gets it, after waking up in vain four times at most when it is first in line. How many others get it before somebody
 * has woken up depends on how long that takes.
 *
 * <p><b>Order.</b> What a holder did before {@code unlock} is seen by the next one.
 */
public final class Mutex {
    private final Tenure tenure = new Tenure();

    /** A mutex that nobody holds. */
    public Mutex() {}

    /**
     * Takes the mutex, and waits for it if need be. A mutex that can be had at once is had even by an interrupted thread; then the
     * interrupt status stays set.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits, and has not been given the mutex
     * @throws IllegalStateException if the caller holds it
     */
    public void lock() throws InterruptedException {
        Budget.spend();
        if (!tenure.tryTake()) {
            checkNotHeld();
            tenure.take(Patience.ENDLESS);
        }
    }

    /**
     * As {@link #lock}, but no interrupt ends the wait; the interrupt status is kept.
     *
     * @throws IllegalStateException if the caller holds it
     */
    public void lockUninterruptibly() {
        Budget.spend();
        if (!tenure.tryTake()) {
            checkNotHeld();
            tenure.takeStubbornly();
        }
    }

    /** Takes the mutex if nobody holds it, be it the caller. */
    public boolean tryLock() {
        Budget.spend();
        return tenure.tryTake();
    }

    /**
     * As {@link #lock}, and waits no longer than so long.
     *
     * @return whether the caller holds it now
     * @throws InterruptedException as {@link #lock}
     * @throws IllegalStateException if the caller held it before
     */
    public boolean tryLock(Duration timeout) throws InterruptedException {
        Budget.spend();
        if (tenure.tryTake()) {
            return true;
        }
        checkNotHeld();
        return tenure.take(Patience.of(timeout));
    }

    /**
     * Gives the mutex back.
     *
     * @throws IllegalMonitorStateException if the caller does not hold it; the message says who does
     */
    public void unlock() {
        checkHeld("unlock");
        tenure.give();
    }

    /**
     * Runs a body that holds the mutex.
     *
     * @return what the body returned
     * @throws InterruptedException as {@link #lock}
     * @throws IllegalStateException if the caller holds it
     * @throws Exception what the body threw
     */
    public <T extends @Nullable Object> T withLock(Callable<T> body) throws Exception {
        lock();
        try {
            return body.call();
        } finally {
            unlock();
        }
    }

    /** As {@link #withLock(Callable)}, for a body without a value. */
    public void withLock(Action body) throws Exception {
        lock();
        try {
            body.run();
        } finally {
            unlock();
        }
    }

    /** Something that its holder can wait for without holding it. */
    public Condition newCondition() {
        return new Condition(this);
    }

    /** Whether somebody holds it. By the time this returns, that may have changed. */
    public boolean isLocked() {
        return tenure.isHeld();
    }

    /** Whether the caller holds it. */
    public boolean isHeldByCurrentThread() {
        return tenure.isHeldByCaller();
    }

    Tenure tenure() {
        return tenure;
    }

    void checkHeld(String operation) {
        if (!tenure.isHeldByCaller()) {
            throw new IllegalMonitorStateException(operation + " by " + nameOf(Thread.currentThread())
                    + ", which does not hold the mutex: it is " + holderNow());
        }
    }

    private void checkNotHeld() {
        if (tenure.isHeldByCaller()) {
            throw new IllegalStateException(nameOf(Thread.currentThread())
                    + " holds the mutex already and would wait for itself: a mutex is not reentrant");
        }
    }

    private String holderNow() {
        Thread holder = tenure.holder();
        return holder != null ? "held by " + nameOf(holder) : isLocked() ? "changing hands" : "unlocked";
    }

    static String nameOf(Thread thread) {
        String name = thread.getName();
        return name.isEmpty() ? "thread " + thread.threadId() : name;
    }

    @Override
    public String toString() {
        return "Mutex[" + holderNow() + tenure.waitersDescribed() + "]";
    }
}
