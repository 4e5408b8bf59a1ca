package io.skein.internal.task;

import io.skein.Coroutine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A policy's memory of children that ended without a value, in the order in which they ended. Any thread may call it. */
abstract class Failures {
    private List<Coroutine<?>> failed = List.of();
    private @Nullable Coroutine<?> cancelled;

    /** Notes a child that has no value. */
    final synchronized void note(Coroutine<?> child) {
        if (child.isCancelled()) {
            cancelled = child;
        } else {
            failed = failed.isEmpty() ? new ArrayList<>() : failed;
            failed.add(child);
        }
    }

    /** Throws what tells of them, if there are any: the first failure with the others suppressed, or a cancellation. */
    final synchronized void report() {
        if (!failed.isEmpty()) {
            Coroutine<?> first = failed.getFirst();
            Throwable failure = first.exceptionNow();
            CompletionException report = new CompletionException(first.name() + " failed: " + failure, failure);
            failed.stream().skip(1).forEach(other -> report.addSuppressed(other.exceptionNow()));
            throw report;
        }
        if (cancelled != null) {
            throw new CancellationException(cancelled.name() + " was cancelled");
        }
    }
}
