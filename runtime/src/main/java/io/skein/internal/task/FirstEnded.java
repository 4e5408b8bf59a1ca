package io.skein.internal.task;

import io.skein.Coroutine;
import io.skein.internal.Suspension;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The wait of a thread for the first of several coroutines to end; used once. */
public final class FirstEnded extends Suspension {
    private FirstEnded() {}

    /** Waits for the first of some coroutines to end. */
    public static <T extends @Nullable Object> Coroutine<T> of(Collection<? extends Coroutine<T>> coroutines)
            throws InterruptedException {
        Coroutine<T> ended = amongEnded(coroutines);
        if (ended != null) {
            return ended;
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before the wait for one of " + coroutines.size());
        }
        FirstEnded wait = new FirstEnded();
        wait.begin();
        boolean waiting = true;
        for (Coroutine<T> coroutine : coroutines) {
            waiting &= completion(coroutine).tell(wait);
        }
        if (!waiting) {
            wait.abandon();
        }
        wait.await();
        coroutines.forEach(coroutine -> completion(coroutine).forget(wait));
        ended = amongEnded(coroutines);
        if (ended == null) {
            Thread.interrupted(); // told by the exception instead
            throw new InterruptedException("interrupted while waiting for one of " + coroutines.size());
        }
        return ended;
    }

    private static <T extends @Nullable Object> @Nullable Coroutine<T> amongEnded(
            Collection<? extends Coroutine<T>> coroutines) {
        for (Coroutine<T> coroutine : coroutines) {
            if (coroutine.isDone()) {
                return coroutine;
            }
        }
        return null;
    }

    private static Completion<?> completion(Coroutine<?> coroutine) {
        return (Completion<?>) coroutine;
    }
}
