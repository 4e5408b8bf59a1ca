package io.skein.internal.task;

import io.skein.Coroutine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A policy's memory of children that ended without a value, in the order in which they ended. Any thread may call it. */
abstract class Failures {
    /** Both are written under this object's monitor. */
    private volatile List<Coroutine<?>> failed = List.of();

    private volatile @Nullable Coroutine<?> cancelled;

    /** Notes a child that has no value. */
    final synchronized void note(Coroutine<?> child) {
        if (child.isCancelled()) {
            cancelled = child;
        } else {
            List<Coroutine<?>> more = new ArrayList<>(failed);
            more.add(child);
            failed = more;
        }
    }

    /** Throws what tells of them, if there are any: the first failure with the others suppressed, or a cancellation. */
    final void report() {
        List<Coroutine<?>> all = failed;
        if (!all.isEmpty()) {
            Coroutine<?> first = all.getFirst();
            Throwable failure = first.exceptionNow();
            CompletionException report =
                    new CompletionException(first.name() + " failed: " + Outcome.origin(failure), failure);
            all.stream().skip(1).forEach(other -> report.addSuppressed(other.exceptionNow()));
            throw report;
        }
        Coroutine<?> stopped = cancelled;
        if (stopped != null) {
            throw new CancellationException(stopped.name() + " was cancelled");
        }
    }
}
