package io.skein.internal.io;

import io.skein.internal.Budget;
import io.skein.internal.Headroom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketException;
import java.nio.channels.AcceptPendingException;
import java.nio.channels.ReadPendingException;
import java.nio.channels.WritePendingException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Admits one reader and one writer to a descriptor, and lets the last one out close it.
 *
 * <p>Any thread may call it. The state is a set of bits. READING and WRITING are set by {@code enter} and
 * cleared by {@code leave}; EVICTING is set while the closer is inside to wake the others; CLOSED is set once and
 * stays. Above the bits, visitors are counted: they neither read nor write and are gone soon. The descriptor is released exactly once: by whoever makes the state CLOSED alone, which is {@code close}
 * or the last {@code leave}. So a descriptor's number cannot be reused while somebody inside, the closer included,
 * still names it to the kernel.
 */
public abstract class Gate extends OpenSockets.Member {
    private static final int READING = 1;
    private static final int WRITING = 2;
    private static final int EVICTING = 4;
    private static final int CLOSED = 8;
    private static final int VISITOR = 16;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Gate.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // through STATE
    private volatile int state;

    private final OpenSockets openSockets;

    @SuppressWarnings("UnusedVariable") // it is referred to, and that is all
    private @Nullable Object watcher;

    protected Gate(OpenSockets openSockets) {
        this.openSockets = openSockets;
    }

    /** Notes that the descriptor is open; to be called when the socket is complete. */
    protected final void opened() {
        openSockets.add(this);
    }

    /** As {@link BoundSocket#watchedBy}. */
    public final void watchedBy(Object guard) {
        watcher = guard;
    }

    /** Wakes whoever is inside, so that they leave soon; if it fails, too. Called once, by the closer, when somebody is inside. */
    protected abstract void evict();

    /**
     * Wakes a reader, if somebody reads and that takes no coroutine. {@link #evict} follows. Called by the closer, who may be any thread, when
     * nobody comes in any more.
     */
    protected void evictReader() {}

    protected final void enterRead(String operation, Object subject) throws SocketException {
        if (!enter(READING, operation, subject)) {
            throw operation.equals("accept") ? new AcceptPendingException() : new ReadPendingException();
        }
    }

    protected final void enterWrite(String operation, Object subject) throws SocketException {
        if (!enter(WRITING, operation, subject)) {
            throw new WritePendingException();
        }
    }

    private boolean enter(int side, String operation, Object subject) throws SocketException {
        Budget.spend();
        Headroom.toBegin(); // who enters leaves, and may have to release
        while (true) {
            int seen = state;
            if ((seen & CLOSED) != 0) {
                throw new SocketException(operation + " " + subject + ": closed");
            }
            if ((seen & side) != 0) {
                return false;
            }
            if (STATE.compareAndSet(this, seen, seen | side)) {
                return true;
            }
        }
    }

    protected final void leaveRead() {
        leave(READING);
    }

    protected final void leaveWrite() {
        leave(WRITING);
    }

    /** Admits a caller who makes one short call on the descriptor, beside the others. */
    protected final void enterBriefly(String operation, Object subject) throws SocketException {
        Headroom.toBegin(); // as above
        int seen;
        do {
            seen = state;
            if ((seen & CLOSED) != 0) {
                throw new SocketException(operation + " " + subject + ": closed");
            }
        } while (!STATE.compareAndSet(this, seen, seen + VISITOR));
    }

    protected final void leaveBriefly() {
        int after = (int) STATE.getAndAdd(this, -VISITOR) - VISITOR;
        if (after == CLOSED) {
            openSockets.release(this);
        }
    }

    private void leave(int side) {
        int before = (int) STATE.getAndAdd(this, -side); // the bit is set; taking it off by "and" would be a loop
        if (before - side == CLOSED) {
            openSockets.release(this);
        }
    }

    protected final boolean isClosed() {
        return (state & CLOSED) != 0;
    }

    /** Whether nobody has closed it yet. */
    public final boolean isOpen() {
        return !isClosed();
    }

    @Override
    public final void close() {
        int inside = markClosed();
        if (inside >= 0) {
            finishClose(inside);
        }
    }

    /** See {@link BoundSocket#beginClose}. */
    public final @Nullable Runnable beginClose() {
        Rest rest = new Rest(this);
        Headroom.toNest(); // for the coroutine that does the rest
        rest.inside = markClosed();
        if (rest.inside < 0) {
            return null;
        }
        try {
            evictReader();
        } catch (Throwable e) {
            // No memory or stack; the rest of the close does it again.
        }
        return rest;
    }

    /** Lets nobody in any more; returns the state before, or a negative number if somebody has closed it before. */
    private int markClosed() {
        Headroom.toBegin(); // who is inside must be told, and the last to leave releases
        int seen;
        do {
            seen = state;
            if ((seen & CLOSED) != 0) {
                return -1;
            }
        } while (!STATE.compareAndSet(this, seen, seen | CLOSED | EVICTING));
        return seen;
    }

    private void finishClose(int inside) {
        try {
            if (inside != 0) {
                evict();
            }
        } finally {
            leave(EVICTING);
        }
    }

    /** What the closer does after the first step. Only the first call does it. */
    private static final class Rest implements Runnable {
        private final AtomicBoolean begun = new AtomicBoolean();
        private final Gate gate;
        private int inside;

        Rest(Gate gate) {
            this.gate = gate;
        }

        @Override
        public void run() {
            if (begun.compareAndSet(false, true)) {
                gate.finishClose(inside);
            }
        }
    }
}
