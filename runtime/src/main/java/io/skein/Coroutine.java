package io.skein;

import io.skein.internal.sched.SpawnedCoroutine;
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
 * <p>{@link #cancel} is an interrupt, as everywhere in Java: the coroutine notices at its next wait. It is
 * {@linkplain #isCancelled cancelled} when it then ends by an exception that tells of an interrupt; a body that returns a
 * value in spite of it has that value, and one that fails otherwise has failed. A coroutine that is cancelled before its first step runs too, with the interrupt status
 * set, so that a body which was handed something to close gets to close it. Unlike a
 * {@link java.util.concurrent.FutureTask}, the handle is {@linkplain #isDone done} only when the body has ended.
 *
 * @param <T> the type of its value
 */
public sealed interface Coroutine<T extends @Nullable Object> extends Future<T> permits SpawnedCoroutine {
    /**
     * Waits for the end. A coroutine that waits suspends; any other thread blocks.
     *
     * @return the coroutine's value
     * @throws CompletionException if it failed; the cause is what it failed with
     * @throws CancellationException if it was cancelled
     * @throws InterruptedException if the waiting thread is interrupted; the coroutine goes on
     */
    T join() throws InterruptedException;

    /** The name given at spawn, or one made up from the thread's id. */
    String name();

    /** The virtual thread that is this coroutine. */
    Thread thread();
}
