package io.skein.internal.sched;

import io.skein.CancelToken;
import io.skein.internal.Headroom;
import io.skein.internal.task.Outcome;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * A coroutine's being cancelled: the request, the interrupt that it is delivered by, and who else is told. Any thread may
 * call it, except where a method says that the coroutine itself does.
 *
 * <p>The request is made once, by whoever takes the word {@code callbacks} to {@link #REQUESTED}, which hands over everyone
 * on it: they are called, and the coroutine is interrupted once. A callback that comes later is called by who brings it. When
 * the body has ended first, the word is {@link #ENDED}, and nothing happens any more.
 *
 * <p>The interrupt. {@code shield} is the number of shielded sections that the coroutine is in, plus {@link #OWED} where the
 * interrupt waits for the last of them to end, plus {@link #PUT_OFF} where somebody else's does that was there before the first,
 * plus {@link #DELIVERING} while the thread is being interrupted. Only the
 * coroutine enters and leaves sections, and it does not enter the first one while DELIVERING is set: so an interrupt is
 * delivered before a section or after it, never in it.
 */
public final class Cancellation implements CancelToken {
    private static final Callback NONE = new Callback(null, () -> {}, null);
    private static final Callback REQUESTED = new Callback(null, () -> {}, null);
    private static final Callback ENDED = new Callback(null, () -> {}, null);

    /** So many callbacks come before somebody looks for closed ones. */
    private static final int FEW = 16;

    private static final int OWED = 1 << 30;
    private static final int DELIVERING = 1 << 29;
    private static final int PUT_OFF = 1 << 28;

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

        /** Only dead callbacks are skipped by a later write, so whoever reads an old one misses nobody. */
        private volatile @Nullable Callback below;

        /** How many more may be put on top before closed ones are looked for. */
        private int room = FEW;

        /** What is still to be called, and the next to call. Of who has cancelled; {@code below} may skip what is taken. */
        private @Nullable Runnable taken;

        private @Nullable Callback nextTaken;

        Callback(@Nullable Cancellation owner, Runnable action, @Nullable Callback below) {
            this.owner = owner;
            this.action = action;
            this.below = below;
        }

        @Nullable
        Runnable take() {
            return (Runnable) ACTION.getAndSet(this, null);
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

    /** Whether the thread has been interrupted. Written before DELIVERING is cleared, or by the coroutine. */
    private volatile boolean delivered;

    /**
     * What a shielded section has thrown before the coroutine had its interrupt: it is not the interrupt's doing. Of
     * the coroutine.
     */
    private @Nullable Throwable thrownInShield;

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

    /**
     * Asks the coroutine to stop, if nobody has.
     *
     * @return false if the coroutine has ended, and was not asked before
     */
    boolean request() {
        Headroom.toBegin(); // the JDK's interrupt leaves its caller pinned for ever if it finds no stack in the middle
        Callback told;
        do {
            told = callbacks;
            if (told == REQUESTED || told == ENDED) {
                return told == REQUESTED;
            }
        } while (!CALLBACKS.compareAndSet(this, told, REQUESTED));
        // From here on nobody else interrupts the coroutine: nothing may fail, so nothing allocates.
        Callback taken = takeAll(told); // before the coroutine wakes up and takes them back
        try {
            interrupt();
        } finally {
            for (Callback callback = taken; callback != null; callback = callback.nextTaken) {
                Runnable action = Objects.requireNonNull(callback.taken);
                callback.taken = null; // whoever registered it may keep the callback for long
                call(action);
            }
        }
        return true;
    }

    /** Takes the actions of all that are open; returns the first of those, which are linked. */
    private static @Nullable Callback takeAll(Callback top) {
        Callback first = null;
        Callback last = null;
        for (Callback callback = top; callback != null && callback != NONE; callback = callback.below) {
            callback.taken = callback.take();
            if (callback.taken == null) {
                continue;
            }
            if (last == null) {
                first = callback;
            } else {
                last.nextTaken = callback;
            }
            last = callback;
        }
        return first;
    }

    private void call(Runnable action) {
        try {
            action.run();
        } catch (Throwable e) { // neither the canceller's fault nor the next callback's
            coroutine.scheduler().unheard(coroutine, e);
        }
    }

    // Who is told.

    @Override
    public Registration onCancel(Runnable action) {
        Callback callback = new Callback(this, Objects.requireNonNull(action, "callback"), null);
        Callback top;
        do {
            top = callbacks;
            if (top == ENDED) {
                callback.take();
                return callback;
            }
            if (top == REQUESTED) {
                callback.take();
                call(action);
                return callback;
            }
            callback.below = top;
            callback.room = top == NONE ? FEW : top.room > 0 ? top.room - 1 : skipClosed(top);
        } while (!CALLBACKS.compareAndSet(this, top, callback));
        return callback;
    }

    /** Takes closed callbacks out from below, and returns how many may come before that is done again. */
    private static int skipClosed(Callback top) {
        int open = 0;
        Callback seen = top;
        for (Callback next = seen.below; next != null && next != NONE; next = seen.below) {
            if (next.action == null) {
                seen.below = next.below;
            } else {
                open++;
                seen = next;
            }
        }
        return Math.max(FEW, open);
    }

    /** Takes closed callbacks off the top; one below others goes later. */
    private void forgetClosed() {
        Callback top = callbacks;
        while (top.action == null && top.below != null) {
            CALLBACKS.compareAndSet(this, top, top.below);
            top = callbacks;
        }
    }

    /** The body has ended: from now on nobody asks it to stop, and nobody is told. */
    void end() {
        Callback top = callbacks;
        while (top != REQUESTED && !CALLBACKS.compareAndSet(this, top, ENDED)) {
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
            try {
                coroutine.thread().interrupt();
            } finally {
                delivered = true;
                SHIELD.setRelease(this, 0);
            }
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
        } catch (Throwable e) {
            own.thrownInShield = own.delivered ? null : e;
            throw e;
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
            SHIELD.getAndBitwiseOr(this, PUT_OFF);
        }
    }

    private void leaveShield() {
        int left = (int) SHIELD.getAndAdd(this, -1) - 1;
        if (left != 0 && (left & ~(OWED | PUT_OFF)) == 0) {
            int waited = (int) SHIELD.getAndSet(this, 0); // the request may have come just now
            if ((waited & OWED) != 0) {
                delivered = true;
            }
            coroutine.thread().interrupt();
        }
    }

    /**
     * Whether a failure was thrown while the interrupt was held back, so that it cannot come of it. Called by the
     * coroutine.
     */
    boolean heldBackFrom(Throwable failure) {
        Throwable own = thrownInShield;
        return own != null && Outcome.isDueTo(failure, own);
    }

    /** Whether the coroutine has got its interrupt. If that is on its way, waits for it. Called by the coroutine. */
    boolean isDelivered() {
        while (shield == DELIVERING) {
            Thread.onSpinWait(); // for as long as an interrupt takes
        }
        return delivered;
    }
}
