package io.skein.internal.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Operations whose cancel waits to be carried out on their driver's thread. Any thread adds; the driver's thread alone carries out.
 *
 * <p>It is a stack whose links are the operations themselves, so that a cancel takes no memory: who is interrupted because the heap is
 * full must be able to leave. An operation is on the stack at most once. Its {@code cancelWanted} is written before {@code cancelQueued} is
 * looked at, and read after {@code cancelQueued} was taken back: so a run that is wanted while the operation is still queued for an
 * earlier one is seen, or the operation is queued again.
 */
public final class CancelRequests {
    private static final VarHandle TOP;

    static {
        try {
            TOP = MethodHandles.lookup().findVarHandle(CancelRequests.class, "top", Operation.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Operation top;

    public boolean isEmpty() {
        return top == null;
    }

    /** Asks that one run of an operation be cancelled. */
    public void add(Operation operation, int run) {
        operation.wantCancel(run);
        if (operation.claimCancelQueue()) {
            push(operation);
        }
    }

    private void push(Operation operation) {
        Operation below;
        do {
            below = top;
            operation.nextToCancel = below;
        } while (!TOP.compareAndSet(this, below, operation));
    }

    /**
     * Cancels those that are still in flight. Called on the driver's thread, when the driver has been told of all that was started before
     * the requests. If the driver fails, for want of memory or stack, what is left stays for the next time.
     */
    public void carryOut(Driver driver) {
        Operation next = (@Nullable Operation) TOP.getAndSet(this, null);
        while (next != null) {
            Operation operation = next;
            next = operation.nextToCancel;
            operation.nextToCancel = null;
            operation.cancelQueued = false;
            int run = operation.cancelWanted;
            if (operation.tryCancel(run)) {
                try {
                    driver.cancel(operation);
                } catch (Throwable e) {
                    operation.cancelFailed();
                    add(operation, run);
                    putBack(next);
                    throw e;
                }
            }
        }
    }

    private void putBack(@Nullable Operation rest) {
        Operation next = rest;
        while (next != null) {
            Operation operation = next;
            next = operation.nextToCancel;
            push(operation);
        }
    }
}
