package io.skein.internal.sched;

import io.skein.internal.Headroom;
import io.skein.internal.task.LazyTask;
import io.skein.internal.task.Outcome;
import io.skein.internal.time.Timer;
import io.skein.internal.time.Timers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A body that is interrupted when its time has passed. It runs on the calling thread, which may be any.
 *
 * <pre>
 *   RUNNING      -> OVER           the body has ended
 *   RUNNING      -> INTERRUPTING   the time has passed
 *   INTERRUPTING -> INTERRUPTED    the thread has its interrupt
 * </pre>
 *
 * <p>The interrupt is the limit's own. So {@link #leave} does not return while it is still to come, and clears it when it has come.
 * A thread has one interrupt status for all who interrupt it, and others may have done so at the same time. What theirs was is
 * kept: one that was there when this one came; that of a limit further out which passed meanwhile; that of the coroutine's
 * cancellation, if it came meanwhile; and one that is there after the body has thrown {@link InterruptedException}, by which
 * the first was told. The limit clears the status before it looks for those, and each of them says that it has interrupted
 * only after it has: so none is lost, and none comes twice. An interrupt that a limit further in has made is not somebody else's:
 * that limit clears it, and stays known to those further out until it has.
 */
public final class TimeLimit extends Timer {
    private static final int RUNNING = 0;
    private static final int OVER = 1;
    private static final int INTERRUPTING = 2;
    private static final int INTERRUPTED = 3;

    private static final int SPINS = 100;

    /** Later than anybody waits, and early enough to take differences of. */
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(TimeLimit.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The innermost limit of a thread that is no coroutine. */
    private static final ThreadLocal<@Nullable TimeLimit> INNERMOST = new ThreadLocal<>();

    static {
        LazyTask.interruptsKnownBy(TimeLimit::isDoneByInterrupt);
    }

    private final long deadlineNanos;
    private final @Nullable SpawnedCoroutine<?> coroutine;
    private final @Nullable TimeLimit outer;

    /** How many of the limits further out had interrupted the thread at the start, and whether a cancellation had. */
    private final int outerInterrupts;

    private final boolean cancelDelivered;

    /** The limit set next inside this one. Written by the limited thread. */
    private volatile @Nullable TimeLimit inner;

    private @Nullable Thread thread;
    private volatile int state;

    /** Whether somebody else has interrupted the thread. Written before INTERRUPTED, and when that interrupt is passed on. */
    private volatile boolean interruptedByOthers;

    private TimeLimit(long deadlineNanos, @Nullable SpawnedCoroutine<?> coroutine, @Nullable TimeLimit outer) {
        this.deadlineNanos = deadlineNanos;
        this.coroutine = coroutine;
        this.outer = outer;
        this.outerInterrupts = countOuterInterrupts();
        this.cancelDelivered = isCancelDelivered();
        this.thread = Thread.currentThread();
    }

    /**
     * Runs a body until a time.
     *
     * @param deadlineNanos a time of {@link System#nanoTime}
     * @param message what a {@link TimeoutException} says
     * @return what the body returned, interrupted or not
     * @throws TimeoutException if the time had passed before the start; or if it passed and the body then ended by an
     *     exception, which is the cause
     * @throws Exception what the body threw otherwise
     */
    public static <T extends @Nullable Object> T call(long deadlineNanos, Supplier<String> message, Callable<T> body)
            throws Exception {
        if (deadlineNanos - System.nanoTime() <= 0) {
            throw new TimeoutException(message.get());
        }
        SpawnedCoroutine<?> coroutine = Scheduler.currentCoroutine();
        TimeLimit outer = coroutine == null ? INNERMOST.get() : coroutine.innermostLimit();
        TimeLimit limit = new TimeLimit(deadlineNanos, coroutine, outer);
        limit.enter();
        T value;
        try {
            Timers.arm(limit, deadlineNanos);
            value = body.call();
        } catch (Throwable e) {
            if (limit.leave(e) && Outcome.mayComeOfInterrupt(e)) {
                TimeoutException timeout = new TimeoutException(message.get());
                timeout.initCause(e);
                throw timeout;
            }
            throw e;
        }
        limit.leave(null);
        return value;
    }

    /**
     * A body that another thread may interrupt.
     *
     * @param <T> what it returns
     */
    @FunctionalInterface
    public interface EndableBody<T extends @Nullable Object> {
        /**
         * Does it.
         *
         * @param end interrupts the body, once; does nothing when the body has ended. Any thread may run it.
         */
        T call(Runnable end) throws Exception;
    }

    /** Runs a body that may be interrupted from outside, as a limit would: the interrupt ends the body alone. */
    public static <T extends @Nullable Object> T callEndable(EndableBody<T> body) throws Exception {
        SpawnedCoroutine<?> coroutine = Scheduler.currentCoroutine();
        TimeLimit outer = coroutine == null ? INNERMOST.get() : coroutine.innermostLimit();
        TimeLimit limit = new TimeLimit(System.nanoTime() + LONGEST_NANOS, coroutine, outer);
        limit.enter();
        T value;
        try {
            value = body.call(limit::end);
        } catch (Throwable e) {
            limit.leave(e);
            throw e;
        }
        limit.leave(null);
        return value;
    }

    private void end() {
        Headroom.toBegin(); // as for a cancel
        interrupt();
    }

    private void enter() {
        becomeInnermost(this);
        if (outer != null) {
            outer.inner = this;
        }
    }

    private void becomeInnermost(@Nullable TimeLimit limit) {
        if (coroutine != null) {
            coroutine.innermostLimit(limit);
        } else if (limit != null) {
            INNERMOST.set(limit);
        } else {
            INNERMOST.remove();
        }
    }

    /** To interrupt somebody may take locks, which the thread that fires must not. */
    @Override
    protected void fire() {
        Timers.aside(this::interrupt);
    }

    /** Initialises the class. */
    static void prepare() {}

    /**
     * Whether what the caller's code has thrown counts as the doing of an interrupt: the caller is a coroutine that was cancelled, or
     * is under a limit that has passed.
     */
    private static boolean isDoneByInterrupt(Throwable thrown) {
        if (!Outcome.mayComeOfInterrupt(thrown)) {
            return false;
        }
        SpawnedCoroutine<?> coroutine = Scheduler.currentCoroutine();
        if (coroutine != null && coroutine.isCancelDelivered() && coroutine.isCancelledBy(thrown)) {
            return true;
        }
        TimeLimit limit = coroutine == null ? INNERMOST.get() : coroutine.innermostLimit();
        while (limit != null && !limit.hasInterrupted()) {
            limit = limit.outer;
        }
        return limit != null;
    }

    /**
     * Interrupts a coroutine whose limits have passed, for one that holds its worker: no timer of that worker fires. Called by
     * the watchdog.
     */
    static void interruptOverdue(SpawnedCoroutine<?> held) {
        for (TimeLimit limit = held.innermostLimit(); limit != null; limit = limit.outer) {
            if (limit.deadlineNanos - System.nanoTime() <= 0) {
                limit.interrupt();
            }
        }
    }

    private void interrupt() {
        if (STATE.compareAndSet(this, RUNNING, INTERRUPTING)) {
            try {
                Thread late = thread;
                if (late != null) {
                    interruptedByOthers = late.isInterrupted() && !isInnersAlone();
                    late.interrupt();
                }
            } finally {
                state = INTERRUPTED;
            }
        }
    }

    /** Whether an interrupt that is there is that of a limit further in, and nobody else's. */
    private boolean isInnersAlone() {
        boolean inners = false;
        for (TimeLimit limit = inner; limit != null; limit = limit.inner) {
            if (limit.hasInterrupted()) {
                if (limit.interruptedByOthers) {
                    return false;
                }
                inners = true;
            }
        }
        return inners;
    }

    @Override
    protected void release() {
        thread = null;
    }

    /** Ends the limit, and leaves the interrupt status as if it had not been. Returns whether it has interrupted the body. */
    private boolean leave(@Nullable Throwable thrown) {
        becomeInnermost(outer);
        boolean inTime = STATE.compareAndSet(this, RUNNING, OVER);
        if (inTime) {
            cancel();
        } else {
            boolean _ = hasInterrupted(); // which waits until it has
            passOnOthersInterrupt(Thread.interrupted() && thrown instanceof InterruptedException);
        }
        if (outer != null) {
            outer.inner = null; // no sooner, or it would take this one's interrupt for somebody else's
        }
        return !inTime;
    }

    private void passOnOthersInterrupt(boolean oneWasLeft) {
        if (interruptedByOthers
                || oneWasLeft
                || countOuterInterrupts() > outerInterrupts
                || isCancelDelivered() != cancelDelivered) {
            interruptedByOthers = true;
            Thread.currentThread().interrupt();
        }
    }

    private int countOuterInterrupts() {
        int count = 0;
        for (TimeLimit limit = outer; limit != null; limit = limit.outer) {
            if (limit.hasInterrupted()) {
                count++;
            }
        }
        return count;
    }

    private boolean isCancelDelivered() {
        return coroutine != null && coroutine.isCancelDelivered();
    }

    /** Whether the body's thread has its interrupt. If it is on its way, waits for it: that lasts as long as an interrupt takes. */
    @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it
    private boolean hasInterrupted() {
        for (int spins = 1; state == INTERRUPTING; spins++) {
            if (spins % SPINS == 0) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
        return state == INTERRUPTED;
    }
}
