package io.skein.internal.io;

import io.skein.internal.Headroom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.file.FileSystemException;

/**
 * Admits any number to a descriptor, and lets the last one out close it.
 *
 * <p>Any thread may call it. The state is the count of those inside, and the sign bit, CLOSED, which is set once and stays.
 * {@code enter} counts up, unless CLOSED is set; {@code leave} counts down. The closer is inside, too, while it wakes the
 * others. The descriptor is released exactly once: by the {@code leave} after which the state is CLOSED with nobody inside.
 * So its number cannot be reused while somebody still names it to the kernel.
 */
public abstract class SharedGate extends OpenSockets.Member {
    private static final int CLOSED = Integer.MIN_VALUE;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(SharedGate.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // through STATE
    private volatile int state;

    private final OpenSockets openSockets;

    SharedGate(OpenSockets openSockets) {
        this.openSockets = openSockets;
    }

    /** Notes that the descriptor is open; to be called when the object is complete. */
    protected final void opened() {
        openSockets.add(this);
    }

    /** Wakes those inside who may wait for long. Called once, by the closer, when somebody is inside. */
    protected abstract void evict();

    final void enter(String operation) throws FileSystemException {
        Headroom.toBegin(); // who enters leaves, and may have to release
        int seen;
        do {
            seen = state;
            if (seen < 0) {
                throw new FileSystemException(toString(), null, operation + ": closed");
            }
        } while (!STATE.compareAndSet(this, seen, seen + 1));
    }

    final void leave() {
        if ((int) STATE.getAndAdd(this, -1) == CLOSED + 1) {
            openSockets.release(this);
        }
    }

    protected final boolean isClosed() {
        return state < 0;
    }

    @Override
    public final void close() {
        Headroom.toBegin(); // who is inside must be told, and the last to leave releases
        int seen;
        do {
            seen = state;
            if (seen < 0) {
                return;
            }
        } while (!STATE.compareAndSet(this, seen, (seen + 1) | CLOSED)); // inside, while it wakes the others
        try {
            if (seen > 0) {
                evict();
            }
        } finally {
            leave();
        }
    }
}
