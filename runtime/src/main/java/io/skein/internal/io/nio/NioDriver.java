package io.skein.internal.io.nio;

import io.skein.internal.io.ArrayQueue;
import io.skein.internal.io.Driver;
import io.skein.internal.io.Operation;
import io.skein.internal.linux.Errno;
import io.skein.internal.loom.CarrierNap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The driver of one worker on one selector.
 *
 * <p>Starting or cancelling an operation only queues it. {@link #drive} does the rest, on the worker's own thread:
 * channels, keys and selectors take monitors inside the JDK, and a coroutine that is unmounted while it waits for one
 * would stand in line before the worker that has to resume it.
 *
 * <p>An operation that is not ready waits on its channel's key: one operation for each direction.
 */
final class NioDriver implements Driver {
    /** The operations that wait on one channel, by direction. */
    private static final class Waiting {
        private @Nullable NioOperation inbound;
        private @Nullable NioOperation outbound;

        void put(NioOperation operation, boolean waits) {
            if ((operation.interest() & (SelectionKey.OP_READ | SelectionKey.OP_ACCEPT)) != 0) {
                inbound = waits ? operation : null;
            } else {
                outbound = waits ? operation : null;
            }
        }
    }

    /** A look of this driver at its selector that has not begun when it is asked for. */
    final class Look {
        private final long drive = drives + 2; // the present one may have looked already

        boolean isOver() {
            return drives >= drive || closed; // then no look is to come that somebody could wait for
        }

        /** Ends the sleep that the look may wait for. */
        void hasten() {
            selector.wakeup();
        }
    }

    private static final long SHORTEST_NAP_NANOS = 50_000;
    private static final long LONGEST_NAP_NANOS = 10_000_000;

    private final Selector selector;

    /** For how long the next nap is at most. */
    private long napNanos = SHORTEST_NAP_NANOS;

    /** The worker's thread. A coroutine that stands in for it naps there. */
    private final Thread owner = Thread.currentThread();

    /** How many drives have ended. Written by the worker's thread. */
    private volatile long drives;

    private volatile boolean closed;
    private final Waker waker;
    private final boolean byNote;
    private volatile boolean noted;
    private final Consumer<SelectionKey> ready = this::ready;
    private final ArrayQueue<NioOperation> started = new ArrayQueue<>();
    private final ArrayQueue<NioOperation> cancelled = new ArrayQueue<>();

    /**
     * A driver on a selector.
     *
     * @param byNote whether virtual threads that wake it may be coroutines of its own workers
     */
    NioDriver(Selector selector, Waker waker, boolean byNote) {
        this.selector = selector;
        this.waker = waker;
        this.byNote = byNote;
        if (byNote) {
            waker.add(this);
        }
    }

    @Override
    public void start(Operation operation) {
        started.add((NioOperation) operation);
    }

    @Override
    public void cancel(Operation operation) {
        cancelled.add((NioOperation) operation);
    }

    @Override
    public void drive(long timeoutNanos) {
        boolean ended = attemptStarted();
        ended |= endCancelled();
        try {
            if (Thread.currentThread().isVirtual()) {
                selectInPlace(ended ? 0 : timeoutNanos);
            } else {
                Thread.interrupted(); // a selector does not sleep while the status is set, and nobody means a worker
                // by it
                select(ended ? 0 : timeoutNanos);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("select", e);
        } finally {
            endDrive();
        }
    }

    private void select(long timeoutNanos) throws IOException {
        if (timeoutNanos == 0) {
            selector.selectNow(ready);
        } else if (timeoutNanos == FOREVER) {
            selector.select(ready, 0);
        } else {
            selector.select(ready, Math.ceilDiv(timeoutNanos, 1_000_000L));
        }
    }

    /**
     * Selects for a coroutine that stands in for the worker. A virtual thread's selector does not sleep in the kernel: it parks until a thread
     * of the JDK's unparks it, which may need this very worker, and may give way in the middle of this. So it looks, and naps for a
     * little if there is nothing, longer each time.
     */
    private void selectInPlace(long timeoutNanos) throws IOException {
        if (selector.selectNow(ready) > 0 || timeoutNanos == 0) {
            napNanos = SHORTEST_NAP_NANOS;
        } else {
            CarrierNap.take(Math.min(timeoutNanos, napNanos));
            napNanos = Math.min(2 * napNanos, LONGEST_NAP_NANOS);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // this thread alone writes it
    private void endDrive() {
        drives++;
    }

    private boolean attemptStarted() {
        boolean ended = false;
        NioOperation next = started.poll();
        for (int left = started.size(); next != null; left--) { // who is started meanwhile waits for the next drive
            ended |= next.tryToEnd(this) || !await(next);
            next = left > 0 ? started.poll() : null;
        }
        return ended;
    }

    /** Lets an operation wait for its readiness; returns false when it cannot, and ends it. */
    private boolean await(NioOperation operation) {
        try {
            SelectionKey key = operation.channel().keyFor(selector);
            if (key == null) {
                key = operation.channel().register(selector, 0, new Waiting());
            }
            key.interestOpsOr(operation.interest());
            ((Waiting) key.attachment()).put(operation, true);
            return true;
        } catch (Throwable e) { // its waiter's: the driver's thread must go on
            operation.fail(e);
            return false;
        }
    }

    private boolean endCancelled() {
        boolean ended = false;
        for (NioOperation next = cancelled.poll(); next != null; next = cancelled.poll()) {
            if (next.isPendingIn(this)) { // not so when it came to its end meanwhile, and maybe began anew elsewhere
                endCancelled(next);
                ended = true;
            }
        }
        return ended;
    }

    private void endCancelled(NioOperation operation) {
        try {
            SelectionKey key = operation.channel().keyFor(selector);
            if (key != null) {
                stopWaiting(key, operation);
            }
        } catch (Throwable e) { // no memory; the key's readiness will find nobody, or who comes next
            // It ends all the same.
        }
        operation.end(-Errno.ECANCELED.number());
    }

    private void ready(SelectionKey key) {
        Waiting waiting = (Waiting) key.attachment();
        retry(key, waiting.inbound);
        retry(key, waiting.outbound);
    }

    private void retry(SelectionKey key, @Nullable NioOperation operation) {
        if (operation != null && isReady(key, operation)) {
            // Taken off first: from its end on, the waiter may start it again, elsewhere.
            try {
                stopWaiting(key, operation);
            } catch (Throwable e) { // no memory
                operation.fail(e);
                return;
            }
            if (!operation.tryToEnd(this)) {
                boolean _ = await(operation);
            }
        }
    }

    private static boolean isReady(SelectionKey key, NioOperation operation) {
        try {
            return (key.readyOps() & operation.interest()) != 0;
        } catch (CancelledKeyException e) {
            return true; // the attempt will say what became of the channel
        }
    }

    private static void stopWaiting(SelectionKey key, NioOperation operation) {
        ((Waiting) key.attachment()).put(operation, false);
        try {
            key.interestOpsAnd(~operation.interest());
        } catch (CancelledKeyException e) {
            // Then it is of no interest already.
        }
    }

    @Override
    public void wakeUp() {
        LockSupport.unpark(owner); // who naps; a permit too many does no harm
        if (byNote && Thread.currentThread().isVirtual()) {
            noted = true;
            waker.noted();
        } else {
            selector.wakeup();
        }
    }

    @Override
    public long enters() {
        return drives;
    }

    /** Called by the {@link Waker}. */
    void wakeIfNoted() {
        if (noted) {
            noted = false;
            try {
                selector.wakeup();
            } catch (Throwable e) {
                noted = true;
                throw e;
            }
        }
    }

    /** Whether an operation on the channel has waited here. */
    boolean knows(SelectableChannel channel) {
        return channel.keyFor(selector) != null;
    }

    Look nextLook() {
        return new Look();
    }

    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing a selector", e);
        } finally {
            closed = true;
        }
    }
}
