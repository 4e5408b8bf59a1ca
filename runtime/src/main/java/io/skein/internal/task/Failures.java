package io.skein.internal.task;

import io.skein.Coroutine;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Children that ended without a value, in the order in which they ended. Any thread may call it. */
final class Failures {
    private final Queue<Coroutine<?>> failed = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Coroutine<?> cancelled;

    void failed(Coroutine<?> child) {
        failed.add(child);
    }

    void cancelled(Coroutine<?> child) {
        cancelled = child;
    }

    /** Throws what tells of them, if there are any: the first failure with the others suppressed, or a cancellation. */
    void report() {
        Coroutine<?> first = failed.peek();
        if (first != null) {
            CompletionException report =
                    new CompletionException(first.name() + " failed: " + first.exceptionNow(), first.exceptionNow());
            failed.stream().skip(1).forEach(other -> report.addSuppressed(other.exceptionNow()));
            throw report;
        }
        Coroutine<?> stopped = cancelled;
        if (stopped != null) {
            throw new CancellationException(stopped.name() + " was cancelled");
        }
    }
}
