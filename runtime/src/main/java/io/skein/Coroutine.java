package io.skein;

import io.skein.internal.sched.Cancellation;
import io.skein.internal.sched.EndableCall;
import io.skein.internal.sched.SpawnedCoroutine;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The handle of a spawned coroutine. Safe for use by any thread.
 *
 * <p>A coroutine ends with a value, a failure or a cancellation. Nobody has to hold its handle: an unheld coroutine
 * finishes all the same, and its failure goes to the runtime's failure handler.
 *
 * <p>{@link #cancel} is an interrupt, as everywhere in Java: the coroutine notices at its next wait. A second cancel does
 * nothing more. The coroutine is {@linkplain #isCancelled cancelled} when it then ends by an exception, whatever a
 * library made of the interrupt on its way; that exception is the cause of the {@link CancellationException} that
 * {@link #join} throws. A body that returns a value in spite of the cancel has that value. One that ends by an {@link
 * Error} has failed, unless the error tells of an interrupt by a cause; and so has one that ends by what a {@link
 * #shielded} section threw while the interrupt was held back. A coroutine that is cancelled before its first step runs
 * too, with the interrupt status set, so that a body which was handed something to close gets to close it. Unlike a
 * {@link java.util.concurrent.FutureTask}, the handle is {@linkplain #isDone done} only when the body has ended.
 *
 * @param <T> the type of its value
 */
public sealed interface Coroutine<T extends @Nullable Object> extends Future<T> permits SpawnedCoroutine {
    /**
     * The coroutine that calls this.
     *
     * @throws IllegalStateException if the caller is not a coroutine
     */
    static Coroutine<?> current() {
        return SpawnedCoroutine.current();
    }

    /** Lets others run first. The caller goes on after everyone who is ready to run on its worker now. */
    @SuppressWarnings("ThreadPriorityCheck") // the scheduler is ours
    static void yieldNow() {
        Thread.yield();
    }

    /**
     * Runs a body that {@link #cancel} does not interrupt: clean-up that must be finished. The interrupt comes when the
     * body has ended, as the thread's interrupt status; one that came before is held back as well. Inside, the
     * {@link CancelToken} tells of the request all the same. Sections may be nested; then the outermost counts.
     *
     * <p>Only {@code cancel} is held back. Whoever calls {@link Thread#interrupt} on the coroutine's thread reaches the
     * body, and so does everyone who interrupts a caller that is not a coroutine.
     *
     * @return what the body returned
     * @throws Exception what the body threw
     */
    static <T extends @Nullable Object> T shielded(Callable<T> body) throws Exception {
        return Cancellation.shielded(body);
    }

    /** As {@link #shielded(Callable)}, for a body without a value. */
    static void shielded(Action body) throws Exception {
        Cancellation.shielded(() -> {
            body.run();
            return null;
        });
    }

    /**
     * Runs a body that is not to be interrupted, but ended by an action: the call of a library that has a cancel of
     * its own, such as {@code java.sql.Statement}. When the caller is interrupted, because it was {@linkplain
     * #cancel cancelled} or is late, the action runs, and the end of the body is waited for.
     *
     * <pre>{@code
     * boolean hasRows = Coroutine.endedBy(statement::cancel, () -> statement.execute("select ..."));
     * }</pre>
     *
     * <p>The body runs in a coroutine of its own, which nobody interrupts. The action runs in the caller. It is
     * called again, after ever longer pauses, until the body has ended: the first call may come before there is
     * anything to end. If it fails, the body is interrupted after all.
     *
     * @return what the body returned; if the caller was interrupted meanwhile, its interrupt status is set
     * @throws InterruptedException if the caller was interrupted and the body failed; what the body threw is
     *     suppressed in it
     * @throws Exception what the body threw otherwise
     * @throws IllegalStateException if the caller is not a coroutine
     */
    static <T extends @Nullable Object> T endedBy(Action end, Callable<? extends T> body) throws Exception {
        return EndableCall.make(Objects.requireNonNull(end, "end"), Objects.requireNonNull(body, "body"));
    }

    /**
     * Waits for the end. A coroutine that waits suspends; any other thread blocks.
     *
     * @return the coroutine's value
     * @throws CompletionException if it failed; the cause is what it failed with
     * @throws CancellationException if it was cancelled
     * @throws IllegalStateException if the caller is this coroutine, which would wait for itself
     * @throws InterruptedException if the waiting thread is interrupted; the coroutine goes on, and what is suppressed shows where
     *     it was
     */
    T join() throws InterruptedException;

    /** Tells whether this coroutine was asked to stop. */
    CancelToken cancelToken();

    /** The name given at spawn, or one made up from the thread's id. */
    String name();

    /** The virtual thread that is this coroutine. */
    Thread thread();
}
