package io.skein.internal.sched;

import io.skein.Action;
import io.skein.Coroutine;
import io.skein.Skein;
import io.skein.internal.Headroom;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A call that an action ends where others are interrupted; see {@link Coroutine#endedBy}. Made by the calling
 * coroutine.
 *
 * <p>The body is in a coroutine of its own, so that no interrupt of the caller reaches it: neither that of a cancel
 * nor that of a limit. The caller waits. It alone calls the action, so that the action may wait too.
 */
public final class EndableCall<T extends @Nullable Object> {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final Action end;
    private final Coroutine<T> call;

    /** What the action has thrown. */
    private @Nullable Throwable failure;

    private EndableCall(Action end, Coroutine<T> call) {
        this.end = end;
        this.call = call;
    }

    public static <T extends @Nullable Object> T make(Action end, Callable<? extends T> body) throws Exception {
        Skein skein = Skein.current();
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before the call");
        }
        Headroom.toNest(); // a body that is begun is waited for, or cancelled
        Scheduler scheduler = SchedulerAccess.of(skein);
        return new EndableCall<>(end, scheduler.<T>spawn(null, null, true, body)).await();
    }

    private T await() throws Exception {
        try {
            return call.get();
        } catch (ExecutionException e) {
            throw failureOf(e);
        } catch (InterruptedException e) {
            endCall();
            return endedEarly(e);
        } catch (StackOverflowError | OutOfMemoryError e) { // there is too little to wait
            call.cancel(true);
            throw e;
        }
    }

    /** Ends the body and waits until it has ended, deaf to further interrupts. */
    private void endCall() {
        boolean interrupted = false;
        for (Duration pause = FIRST_PAUSE; !call.isDone(); pause = longer(pause)) {
            callEnd();
            interrupted |= Thread.interrupted();
            try {
                call.get(pause.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (TimeoutException | ExecutionException | CancellationException e) {
                // It goes on, or how it has ended is looked at later.
            } catch (StackOverflowError | OutOfMemoryError e) { // as above
                call.cancel(true);
                throw e;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }

    private void callEnd() {
        if (failure != null) {
            return; // the body was interrupted
        }
        try {
            end.run();
        } catch (Throwable e) {
            failure = e;
            call.cancel(true);
        }
    }

    private T endedEarly(InterruptedException interrupt) throws InterruptedException {
        if (call.state() == Coroutine.State.SUCCESS) {
            Thread.currentThread().interrupt();
            return call.resultNow();
        }
        if (call.state() == Coroutine.State.FAILED) {
            interrupt.addSuppressed(call.exceptionNow());
        }
        if (failure != null) {
            interrupt.addSuppressed(failure);
        }
        throw interrupt;
    }

    /** The failure itself; where it was waited for is attached to it. */
    private static Exception failureOf(ExecutionException waited) {
        Throwable failure = Objects.requireNonNull(waited.getCause());
        failure.addSuppressed(waited);
        return switch (failure) {
            case Exception e -> e;
            case Error e -> throw e;
            default -> waited;
        };
    }
}
