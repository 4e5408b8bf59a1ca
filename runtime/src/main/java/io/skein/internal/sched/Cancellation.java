package io.skein.internal.sched;

import io.skein.CancelToken;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * A coroutine's being cancelled: the request, the interrupt that it is delivered by, and who else is told. Any thread may
 * call it, except where a method says that the coroutine itself does.
 *
 * <p>The request is made once, by whoever takes the word {@code callbacks} to {@link #REQUESTED}, which hands over everyone
 * on it: they are called, and the coroutine is interrupted once. A callback that comes later is called by who brings it.
 *
 * <p>The interrupt. {@code shield} is the number of shielded sections that the coroutine is in, plus {@link #OWED} where an
 * interrupt waits for the last of them to end, plus {@link #DELIVERING} while the thread is being interrupted. Only the
 * coroutine enters and leaves sections, and it does not enter the first one while DELIVERING is set: so an interrupt is
 * delivered before a section or after it, never in it.
 */
public final class Cancellation implements CancelToken {
    private static final Callback NONE = new Callback(null, () -> {}, null);
    private static final Callback REQUESTED = new Callback(null, () -> {}, null);

    private static final int OWED = 1 << 30;
    private static final int DELIVERING = 1 << 29;

    private static final VarHandle CALLBACKS;
    private static final VarHandle SHIELD;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            CALLBACKS = lookup.findVarHandle(Cancellation.class, "callbacks", Callback.class);
            SHIELD = lookup.findVarHandle(Cancellation.class, "shield", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Somebody to tell. Its action is taken by whoever calls it or takes it back. */
    private static final class Callback implements Registration {
        private static final VarHandle ACTION;

        static {
            try {
                ACTION = MethodHandles.lookup().findVarHandle(Callback.class, "action", Runnable.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private final @Nullable Cancellation owner;
        private volatile @Nullable Runnable action;
        private @Nullable Callback below;

        Callback(@Nullable Cancellation owner, Runnable action, @Nullable Callback below) {
            this.owner = owner;
            this.action = action;
            this.below = below;
        }

        void call(SpawnedCoroutine<?> coroutine) {
            Runnable taken = (Runnable) ACTION.getAndSet(this, null);
            if (taken != null) {
                try {
                    taken.run();
                } catch (Throwable e) { // neither the canceller's fault nor the next callback's
                    coroutine.scheduler().unheard(coroutine, e);
                }
            }
        }

        @Override
        public void close() {
            action = null;
            if (owner != null) {
                owner.forgetClosed();
            }
        }
    }

    private final SpawnedCoroutine<?> coroutine;
    private volatile Callback callbacks = NONE;
    private volatile int shield;

    Cancellation(SpawnedCoroutine<?> coroutine) {
        this.coroutine = coroutine;
    }

    @Override
    public boolean isCancelled() {
        return callbacks == REQUESTED;
    }

    @Override
    public void throwIfCancelled() {
        if (isCancelled()) {
            throw new CancellationException(coroutine.name() + " was cancelled");
        }
    }

    void request() {
        Callback told = (Callback) CALLBACKS.getAndSet(this, REQUESTED);
        if (told == REQUESTED) {
            return;
        }
        interrupt();
        for (; told != null && told != NONE; told = told.below) {
            told.call(coroutine);
        }
    }

    // Who is told.

    @Override
    public Registration onCancel(Runnable action) {
        Callback callback = new Callback(this, action, null);
        Callback top;
        do {
            top = callbacks;
            if (top == REQUESTED) {
                callback.call(coroutine);
                return callback;
            }
            callback.below = top;
        } while (!CALLBACKS.compareAndSet(this, top, callback));
        if (coroutine.isDone()) {
            forgetCallbacks();
        }
        return callback;
    }

    /** Takes closed callbacks off the top; one below others goes when those go. */
    private void forgetClosed() {
        Callback top = callbacks;
        while (top != NONE && top != REQUESTED && top.action == null && top.below != null) {
            CALLBACKS.compareAndSet(this, top, top.below);
            top = callbacks;
        }
    }

    /** The coroutine has ended, so nobody will be told any more. */
    void forgetCallbacks() {
        Callback top = callbacks;
        while (top != REQUESTED && top != NONE && !CALLBACKS.compareAndSet(this, top, NONE)) {
            top = callbacks;
        }
    }

    // The interrupt and the shield.

    private void interrupt() {
        int seen;
        do {
            seen = shield;
        } while (!SHIELD.compareAndSet(this, seen, seen == 0 ? DELIVERING : seen | OWED));
        if (seen == 0) {
            coroutine.thread().interrupt();
            SHIELD.setRelease(this, 0);
        }
    }

    /** Runs a body that a request to cancel the calling coroutine does not interrupt. */
    public static <T extends @Nullable Object> T shielded(Callable<T> body) throws Exception {
        SpawnedCoroutine<?> caller = Scheduler.currentCoroutine();
        if (caller == null) {
            return withStatusPutOff(body);
        }
        Cancellation own = caller.cancellation();
        own.enterShield();
        try {
            return body.call();
        } finally {
            own.leaveShield();
        }
    }

    private static <T extends @Nullable Object> T withStatusPutOff(Callable<T> body) throws Exception {
        boolean interrupted = Thread.interrupted();
        try {
            return body.call();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void enterShield() {
        int seen = shield;
        while (seen == DELIVERING || !SHIELD.compareAndSet(this, seen, seen + 1)) {
            Thread.onSpinWait(); // for as long as an interrupt takes
            seen = shield;
        }
        if (seen == 0 && Thread.interrupted()) {
            SHIELD.getAndBitwiseOr(this, OWED);
        }
    }

    private void leaveShield() {
        int left = (int) SHIELD.getAndAdd(this, -1) - 1;
        if (left == OWED) {
            SHIELD.setRelease(this, 0); // nobody else writes: the request has been made
            coroutine.thread().interrupt();
        }
    }
}
