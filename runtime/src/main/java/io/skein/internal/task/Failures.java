package io.skein.internal.task;

import io.skein.Coroutine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A policy's memory of children that ended without a value, in the order in which they ended. Any thread may call it. */
abstract class Failures {
    // All are written under this object's monitor.

    private volatile @Nullable Coroutine<?> failed;

    private volatile @Nullable Coroutine<?> cancelled;

    /**
     * What the others threw: those that failed later, and those that were cancelled and threw something that does not
     * tell of it.
     */
    private volatile List<Throwable> further = List.of();

    /** Notes a child that has no value. */
    final synchronized void note(Coroutine<?> child) {
        if (!child.isCancelled()) {
            if (failed == null) {
                failed = child;
            } else {
                noteFurther(child.exceptionNow());
            }
            return;
        }
        cancelled = child;
        Outcome end = outcomeOf(child);
        Throwable disguise = end == null ? null : end.disguise();
        if (disguise != null) {
            noteFurther(disguise);
        }
    }

    private void noteFurther(Throwable thrown) {
        List<Throwable> more = new ArrayList<>(further);
        more.add(thrown);
        further = more;
    }

    private static @Nullable Outcome outcomeOf(Coroutine<?> child) {
        return child instanceof Completion<?> ended ? ended.outcome() : null;
    }

    /**
     * Throws what tells of them, if there are any: the first failure with what the others threw suppressed, or a
     * cancellation.
     */
    final void report() {
        Coroutine<?> first = failed;
        if (first != null) {
            Throwable failure = first.exceptionNow();
            CompletionException report =
                    new CompletionException(first.name() + " failed: " + Outcome.origin(failure), failure);
            further.forEach(report::addSuppressed);
            throw report;
        }
        Coroutine<?> stopped = cancelled;
        if (stopped != null) {
            CancellationException report = new CancellationException(stopped.name() + " was cancelled");
            Outcome end = outcomeOf(stopped);
            if (end != null) {
                report.initCause(end.failure());
            }
            throw report;
        }
    }
}
