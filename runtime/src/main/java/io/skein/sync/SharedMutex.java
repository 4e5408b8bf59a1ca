package io.skein.sync;

import io.skein.Action;
import io.skein.internal.sync.Admission;
import io.skein.internal.sync.Patience;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A lock that many hold shared, to read, or one holds exclusively, to write. Any thread may take it.
 *
 * <pre>{@code
 * private final SharedMutex mutex = new SharedMutex();
 *
 * Route find(String host) throws Exception {
 *     return mutex.withShared(() -> routes.get(host));
 * }
 *
 * void add(String host, Route route) throws Exception {
 *     mutex.withExclusive(() -> routes.put(host, route));
 * }
 * }</pre>
 *
 * <p>First come, first served: whoever comes while somebody waits stands behind, and neighbours in line who want it shared get it
 * together. So neither readers nor writers are starved.
 *
 * <p>It is not reentrant. The exclusive holder that locks it again is told so by an {@link IllegalStateException}. Who shares it is
 * not recorded: a holder that locks it shared a second time waits for ever if a writer came in between, and so does one that
 * wants it exclusively as well.
 */
public final class SharedMutex {
    private static final long SHARED = 1;
    private static final long EXCLUSIVE = 1L << 32;

    /** The word is EXCLUSIVE, or the number of those who share. */
    private static final class Holders extends Admission {
        Holders() {
            super(0);
        }

        @Override
        protected long entered(long holders, long wanted) {
            boolean possible = wanted == SHARED ? holders < Integer.MAX_VALUE : holders == 0;
            return possible ? holders + wanted : REFUSED;
        }

        @Override
        protected long left(long holders, long held) {
            if (held == SHARED && (holders == 0 || holders == EXCLUSIVE)) {
                throw new IllegalMonitorStateException("unlockShared of a mutex that nobody holds shared");
            }
            return holders - held;
        }
    }

    private final Holders holders = new Holders();

    /**
     * Set by the exclusive holder when it has the mutex, cleared by it before it gives it back. So a thread that reads its own
     * name holds it. For others it is a hint.
     */
    private @Nullable Thread writer;

    /** A mutex that nobody holds. */
    public SharedMutex() {}

    /**
     * Takes the mutex to share it, and waits if need be. What can be had at once is had even by an interrupted thread; then the
     * interrupt status stays set.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits, and has not been given the mutex
     * @throws IllegalStateException if the caller holds it exclusively
     */
    public void lockShared() throws InterruptedException {
        if (!holders.tryEnter(SHARED)) {
            checkNotWriter();
            holders.enter(SHARED, Patience.ENDLESS);
        }
    }

    /** Takes the mutex to share it, if nobody holds it exclusively and nobody waits. */
    public boolean tryLockShared() {
        return holders.tryEnter(SHARED);
    }

    /**
     * As {@link #lockShared}, and waits no longer than so long.
     *
     * @return whether the caller holds it now
     */
    public boolean tryLockShared(Duration timeout) throws InterruptedException {
        if (holders.tryEnter(SHARED)) {
            return true;
        }
        checkNotWriter();
        return holders.enter(SHARED, Patience.of(timeout));
    }

    /**
     * Gives back what was shared.
     *
     * @throws IllegalMonitorStateException if nobody holds it shared
     */
    public void unlockShared() {
        holders.leave(SHARED);
    }

    /**
     * Takes the mutex exclusively, and waits if need be. What can be had at once is had even by an interrupted thread; then the
     * interrupt status stays set.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits, and has not been given the mutex
     * @throws IllegalStateException if the caller holds it exclusively
     */
    public void lockExclusive() throws InterruptedException {
        if (!holders.tryEnter(EXCLUSIVE)) {
            checkNotWriter();
            holders.enter(EXCLUSIVE, Patience.ENDLESS);
        }
        writer = Thread.currentThread();
    }

    /** Takes the mutex exclusively, if nobody holds it in whatever way. */
    public boolean tryLockExclusive() {
        return becameWriter(holders.tryEnter(EXCLUSIVE));
    }

    /**
     * As {@link #lockExclusive}, and waits no longer than so long.
     *
     * @return whether the caller holds it now
     */
    public boolean tryLockExclusive(Duration timeout) throws InterruptedException {
        if (tryLockExclusive()) {
            return true;
        }
        checkNotWriter();
        return becameWriter(holders.enter(EXCLUSIVE, Patience.of(timeout)));
    }

    /**
     * Gives the mutex back.
     *
     * @throws IllegalMonitorStateException if the caller does not hold it exclusively; the message says who does
     */
    public void unlockExclusive() {
        if (!isHeldExclusivelyByCurrentThread()) {
            throw new IllegalMonitorStateException("unlockExclusive by " + Mutex.nameOf(Thread.currentThread())
                    + ", which does not hold the mutex exclusively; " + holdersNow());
        }
        writer = null;
        holders.leave(EXCLUSIVE);
    }

    /**
     * Runs a body that shares the mutex.
     *
     * @return what the body returned
     * @throws InterruptedException as {@link #lockShared}
     * @throws Exception what the body threw
     */
    public <T extends @Nullable Object> T withShared(Callable<T> body) throws Exception {
        lockShared();
        try {
            return body.call();
        } finally {
            unlockShared();
        }
    }

    /** As {@link #withShared(Callable)}, for a body without a value. */
    public void withShared(Action body) throws Exception {
        lockShared();
        try {
            body.run();
        } finally {
            unlockShared();
        }
    }

    /**
     * Runs a body that holds the mutex exclusively.
     *
     * @return what the body returned
     * @throws InterruptedException as {@link #lockExclusive}
     * @throws Exception what the body threw
     */
    public <T extends @Nullable Object> T withExclusive(Callable<T> body) throws Exception {
        lockExclusive();
        try {
            return body.call();
        } finally {
            unlockExclusive();
        }
    }

    /** As {@link #withExclusive(Callable)}, for a body without a value. */
    public void withExclusive(Action body) throws Exception {
        lockExclusive();
        try {
            body.run();
        } finally {
            unlockExclusive();
        }
    }

    /** Whether the caller holds it exclusively. */
    public boolean isHeldExclusivelyByCurrentThread() {
        return writer == Thread.currentThread();
    }

    /** Whether nobody waits. For tests. */
    boolean isDeserted() {
        return holders.isDeserted();
    }

    private boolean becameWriter(boolean entered) {
        if (entered) {
            writer = Thread.currentThread();
        }
        return entered;
    }

    private void checkNotWriter() {
        if (isHeldExclusivelyByCurrentThread()) {
            throw new IllegalStateException(Mutex.nameOf(Thread.currentThread())
                    + " holds the mutex exclusively and would wait for itself: a mutex is not reentrant");
        }
    }

    private String holdersNow() {
        Thread exclusive = writer;
        long seen = holders.word();
        return exclusive != null
                ? "held exclusively by " + Mutex.nameOf(exclusive)
                : seen == EXCLUSIVE ? "changing hands" : seen == 0 ? "unlocked" : "shared by " + seen;
    }

    @Override
    public String toString() {
        return "SharedMutex[" + holdersNow() + holders.waitersDescribed() + "]";
    }
}
