package io.skein;

import io.skein.Scope.Policy;
import io.skein.internal.Budget;
import io.skein.internal.task.FirstEnded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Several bodies at once, and one answer. To be called in coroutines.
 *
 * <p>Each runs its bodies in a {@link Scope}: when it returns or throws, all of them have ended. What throws is what
 * {@link Scope#join} throws: {@link CompletionException} with the first failure as its cause, after which the other bodies were
 * cancelled and awaited.
 */
public final class Tasks {
    /**
     * What is done with each item of {@link #parallel}.
     *
     * @param <A> the item
     * @param <R> what becomes of it
     */
    @FunctionalInterface
    public interface Work<A extends @Nullable Object, R extends @Nullable Object> {
        R apply(A item) throws Exception;
    }

    private Tasks() {}

    /**
     * Runs all bodies at once.
     *
     * @return their values, in the order of the bodies
     * @throws CompletionException if one failed; the first failure is the cause, and the rest was cancelled
     * @throws CancellationException if one was cancelled
     * @throws InterruptedException if the caller is interrupted; the bodies were cancelled
     */
    public static <T extends @Nullable Object> List<T> whenAll(Collection<? extends Callable<? extends T>> bodies)
            throws InterruptedException {
        try (Scope<T, @Nullable Void> scope = Scope.open(Policy.allSucceed(), options -> options.withName("whenAll"))) {
            List<Coroutine<T>> children = new ArrayList<>(bodies.size());
            for (Callable<? extends T> body : bodies) {
                children.add(scope.<T>fork(body));
            }
            scope.join();
            List<T> values = new ArrayList<>(children.size());
            children.forEach(child -> values.add(child.resultNow()));
            return Collections.unmodifiableList(values);
        }
    }

    /** As {@link #whenAll(Collection)}. */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <T extends @Nullable Object> List<T> whenAll(Callable<? extends T>... bodies)
            throws InterruptedException {
        return whenAll(List.of(bodies));
    }

    /**
     * Waits until one of several coroutines has ended. The others go on.
     *
     * @return the first that has ended, however it did; of several that had before the call, any
     * @throws IllegalArgumentException if there is none to wait for
     * @throws IllegalStateException if there is none but the caller itself
     * @throws InterruptedException if the caller is interrupted
     */
    public static <T extends @Nullable Object> Coroutine<T> whenAny(
            Collection<? extends Coroutine<? extends T>> coroutines) throws InterruptedException {
        List<? extends Coroutine<? extends T>> fixed = List.copyOf(coroutines); // others may change the collection
        if (fixed.isEmpty()) {
            throw new IllegalArgumentException("whenAny of no coroutines would never end");
        }
        return FirstEnded.of(fixed);
    }

    /** As {@link #whenAny(Collection)}. */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <T extends @Nullable Object> Coroutine<T> whenAny(Coroutine<? extends T>... coroutines)
            throws InterruptedException {
        return whenAny(List.of(coroutines));
    }

    /**
     * Runs all bodies at once, for the value of the first that has one. The others are cancelled and awaited.
     *
     * @throws IllegalArgumentException if there is no body
     * @throws CompletionException if all failed; the first failure is the cause
     * @throws CancellationException if all were cancelled
     * @throws InterruptedException if the caller is interrupted; the bodies were cancelled
     */
    public static <T extends @Nullable Object> T race(Collection<? extends Callable<? extends T>> bodies)
            throws InterruptedException {
        if (bodies.isEmpty()) {
            throw new IllegalArgumentException("a race of no bodies has no winner");
        }
        try (Scope<T, T> scope = Scope.open(Policy.<T>firstSuccess(), options -> options.withName("race"))) {
            for (Callable<? extends T> body : bodies) {
                var _ = scope.<T>fork(body);
            }
            return scope.join();
        }
    }

    /** As {@link #race(Collection)}. */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <T extends @Nullable Object> T race(Callable<? extends T>... bodies) throws InterruptedException {
        return race(List.of(bodies));
    }

    /**
     * Does some work for each item, with at most so many items in work at once.
     *
     * @return what became of the items, in their order
     * @throws IllegalArgumentException if the limit is less than 1
     * @throws CompletionException if the work failed for one; the first failure is the cause, and the rest was cancelled
     * @throws CancellationException if the work was cancelled for one
     * @throws InterruptedException if the caller is interrupted; the work was cancelled
     */
    public static <A extends @Nullable Object, R extends @Nullable Object> List<R> parallel(
            Collection<? extends A> items, int limit, Work<? super A, ? extends R> work) throws InterruptedException {
        Objects.requireNonNull(work, "work");
        if (limit < 1) {
            throw new IllegalArgumentException("limit: " + limit + "; at least 1 item must be in work");
        }
        List<A> fixed = Collections.unmodifiableList(new ArrayList<>(items)); // others may change the collection
        @SuppressWarnings("unchecked") // only values of R are put in, and all are before they are read
        R[] results = (R[]) new Object[fixed.size()];
        AtomicInteger next = new AtomicInteger();
        try (Scope<@Nullable Void, @Nullable Void> scope =
                Scope.open(Policy.allSucceed(), options -> options.withName("parallel"))) {
            for (int i = Math.min(limit, results.length); i > 0; i--) {
                var _ = scope.fork(() -> {
                    long sinceNanos = System.nanoTime();
                    for (int item = next.getAndIncrement(); item < results.length; item = next.getAndIncrement()) {
                        if (scope.isCancelled()) {
                            return; // the work may have swallowed the interrupt, or it has not come yet
                        }
                        if (Thread.currentThread().isInterrupted()) {
                            throw new InterruptedException("interrupted before item " + item);
                        }
                        results[item] = work.apply(fixed.get(item));
                        sinceNanos = Budget.spend(sinceNanos);
                    }
                });
            }
            scope.join();
        }
        return Collections.unmodifiableList(new ArrayList<>(Arrays.asList(results)));
    }

    /**
     * As {@link #parallel(Collection, int, Work)}, with the results put together in the order of the items.
     *
     * @param identity what comes out for no items
     */
    public static <A extends @Nullable Object, R extends @Nullable Object> R parallel(
            Collection<? extends A> items,
            int limit,
            Work<? super A, ? extends R> work,
            R identity,
            BinaryOperator<R> reduce)
            throws InterruptedException {
        R reduced = identity;
        for (R result : Tasks.<A, R>parallel(items, limit, work)) {
            reduced = reduce.apply(reduced, result);
        }
        return reduced;
    }
}
