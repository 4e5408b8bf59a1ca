package io.skein.internal.task;

import io.skein.Coroutine;
import io.skein.internal.Budget;
import io.skein.internal.FirstOf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The wait of a thread for the first of several coroutines to end; used once.
 *
 * <p>The waiter returns the one whose end it was told of, and the end of any other counts as not heard.
 */
public final class FirstEnded extends FirstOf {
    private FirstEnded() {}

    /** Waits for the first of some coroutines to end. */
    public static <T extends @Nullable Object> Coroutine<T> of(List<? extends Coroutine<? extends T>> coroutines)
            throws InterruptedException {
        Budget.spend();
        for (Coroutine<? extends T> coroutine : coroutines) {
            if (coroutine.isDone()) {
                return covariant(coroutine);
            }
        }
        if (coroutines.stream().allMatch(coroutine -> completion(coroutine).isCaller())) {
            throw completion(coroutines.getFirst()).selfAwait();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before the wait for one of " + coroutines.size());
        }
        return new FirstEnded().among(coroutines);
    }

    private <T extends @Nullable Object> Coroutine<T> among(List<? extends Coroutine<? extends T>> coroutines)
            throws InterruptedException {
        begin();
        Coroutine<? extends T> ended = null;
        for (Coroutine<? extends T> coroutine : coroutines) {
            if (!completion(coroutine).tell(this)) {
                ended = coroutine;
                break;
            }
        }
        boolean told = ended == null ? await() : !abandon();
        coroutines.forEach(coroutine -> completion(coroutine).forget(this));
        if (told) {
            for (Coroutine<? extends T> coroutine : coroutines) {
                if (coroutine == first()) {
                    return covariant(coroutine);
                }
            }
        }
        if (ended == null) {
            Thread.interrupted(); // told by the exception instead
            throw new InterruptedException("interrupted while waiting for one of " + coroutines.size());
        }
        return covariant(ended);
    }

    private static Completion<?> completion(Coroutine<?> coroutine) {
        return (Completion<?>) coroutine;
    }

    @SuppressWarnings("unchecked") // a handle only gives its value out
    private static <T extends @Nullable Object> Coroutine<T> covariant(Coroutine<? extends T> coroutine) {
        return (Coroutine<T>) coroutine;
    }
}
