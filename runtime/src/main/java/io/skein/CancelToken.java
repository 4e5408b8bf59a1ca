package io.skein;

import io.skein.internal.sched.Cancellation;
import java.util.concurrent.CancellationException;

/**
 * Tells whether a coroutine was asked to stop. Safe for use by any thread.
 *
 * <p>{@link Coroutine#cancel} interrupts, which ends whatever the coroutine waits for. A token is for code that does not
 * wait, and looks now and then; and for what must hear of the request on the spot, such as a library's own handle that
 * has a cancel of its own.
 *
 * <pre>{@code
 * try (var _ = CancelToken.current().onCancel(query::cancel)) {
 *     return query.run();
 * }
 * }</pre>
 */
public sealed interface CancelToken permits Cancellation {
    /**
     * The token of the calling coroutine.
     *
     * @throws IllegalStateException if the caller is not a coroutine
     */
    static CancelToken current() {
        return Coroutine.current().cancelToken();
    }

    /** Whether {@link Coroutine#cancel} was called, by whoever: a handle, a scope, or {@link Skein#shutdownNow}. */
    boolean isCancelled();

    /**
     * Does nothing unless the coroutine was asked to stop.
     *
     * @throws CancellationException if it was
     */
    void throwIfCancelled();

    /**
     * Has a callback run when the coroutine is asked to stop: once, on the thread that asks, after the coroutine was
     * interrupted. If it was asked already, the callback runs before this returns. If the coroutine ends without being
     * asked, it never runs. What it throws goes to the runtime's failure handler.
     *
     * @return closing it takes the callback back
     */
    Registration onCancel(Runnable callback);

    /** A callback's place with a token. */
    interface Registration extends AutoCloseable {
        /** Takes the callback back. If the request came first it runs all the same, and may still be running. */
        @Override
        void close();
    }
}
