package io.skein.internal.seat;

import io.skein.Coroutine;
import io.skein.internal.Uninterruptibly;
import io.skein.internal.sched.Scheduler;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Makes a socket's call for a thread of any kind, with the interrupts that {@link java.net.Socket} documents: a virtual thread's
 * ends the call, a platform thread's waits until the call has ended. Any thread may call it.
 */
final class Guests {
    /** A call that does I/O. */
    @FunctionalInterface
    interface Call<T extends @Nullable Object> {
        T make() throws IOException;
    }

    private Guests() {}

    /** Makes the call here, if the caller is a coroutine of that runtime; or in a coroutine, which the caller waits for. */
    static <T extends @Nullable Object> T call(Scheduler scheduler, String operation, Call<T> call) throws IOException {
        return scheduler.serves()
                ? call.make()
                : await(operation, start(scheduler, operation, call::make), isInterruptible());
    }

    /** As {@link #call}, for one that opens a socket. */
    static <T extends @Nullable Object> T open(Scheduler scheduler, String operation, Call<T> call) throws IOException {
        return scheduler.serves()
                ? call.make()
                : await(operation, startToOpen(scheduler, operation, call), isInterruptible());
    }

    /** As {@link #call}, but an interrupt of any thread ends it: as with channels. */
    static <T extends @Nullable Object> T callInterruptibly(Scheduler scheduler, String operation, Call<T> call)
            throws IOException {
        return scheduler.serves() ? call.make() : await(operation, start(scheduler, operation, call::make), true);
    }

    /** Whether an interrupt of the calling thread ends what it does with a socket. */
    static boolean isInterruptible() {
        return Thread.currentThread().isVirtual();
    }

    /** Starts a coroutine that makes the call and opens a socket by it; somebody is to {@link #await} it. */
    static <T extends @Nullable Object> Coroutine<T> startToOpen(Scheduler scheduler, String operation, Call<T> call)
            throws SocketException {
        return start(scheduler, operation, scheduler.leaks().<T>asked(call::make));
    }

    private static <T extends @Nullable Object> Coroutine<T> start(
            Scheduler scheduler, String operation, Callable<T> call) throws SocketException {
        try {
            return scheduler.spawn(operation, null, true, call);
        } catch (RejectedExecutionException e) {
            SocketException closed = new SocketException(operation + ": the runtime is closed");
            closed.initCause(e);
            throw closed;
        }
    }

    /** Waits for such a coroutine. One that is given up is cancelled, and has ended when this throws. */
    static <T extends @Nullable Object> T await(String operation, Coroutine<T> call, boolean interruptible)
            throws IOException {
        if (!interruptible) {
            Uninterruptibly.run(() -> awaitEnd(call));
            return outcome(operation, call, false);
        }
        try {
            awaitEnd(call);
        } catch (InterruptedException e) {
            call.cancel(true);
            Uninterruptibly.run(() -> awaitEnd(call));
            Thread.currentThread().interrupt();
        }
        return outcome(operation, call, Thread.currentThread().isInterrupted());
    }

    private static void awaitEnd(Coroutine<?> call) throws InterruptedException {
        try {
            call.join();
        } catch (CompletionException | CancellationException e) {
            // told by the outcome
        }
    }

    private static <T extends @Nullable Object> T outcome(String operation, Coroutine<T> call, boolean interrupted)
            throws IOException {
        return switch (call.state()) {
            case SUCCESS -> call.resultNow();
            case FAILED -> throw failure(operation, call.exceptionNow());
            default ->
                throw interrupted
                        ? new InterruptedIOException(operation + ": interrupted")
                        : new SocketException(operation + ": closed by another thread, or the runtime was stopped");
        };
    }

    private static IOException failure(String operation, Throwable failure) {
        return switch (failure) {
            case IOException e -> e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> new IOException(operation, failure);
        };
    }
}
