package io.skein;

import io.skein.internal.sched.OpenScope;
import io.skein.internal.task.AllSucceed;
import io.skein.internal.task.FirstSuccess;
import io.skein.internal.task.Gather;
import io.skein.internal.time.Durations;
import io.skein.internal.time.Timers;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Coroutines that live no longer than a block of code: structured concurrency.
 *
 * <pre>{@code
 * try (var scope = Scope.open()) {
 *     Coroutine<User> user = scope.fork(() -> findUser(id));
 *     Coroutine<List<Order>> orders = scope.fork(() -> findOrders(id));
 *     scope.join();                       // both have ended; if one failed, the other was cancelled
 *     return new Page(user.resultNow(), orders.resultNow());
 * }
 * }</pre>
 *
 * <p>A {@link Policy} says when the children that are left are cancelled, and what {@link #join} returns. {@link #close}
 * cancels and awaits every child that still lives, however the block was left. A coroutine that ends with a scope open closes
 * it.
 *
 * <p>The coroutine that opens a scope owns it: it alone joins and closes. A virtual thread that was started in a
 * coroutine, a subtask of the JDK's {@code StructuredTaskScope} for example, may open scopes just so. Any thread may
 * fork and cancel while the scope is open. Scoped values that were bound when the scope was opened are bound in its
 * children, given the flags that the guide names; a {@link Carrier} brings any other context along.
 *
 * @param <T> what children may return
 * @param <R> what {@link #join} returns
 */
public final class Scope<T extends @Nullable Object, R extends @Nullable Object> implements AutoCloseable {
    private final OpenScope inside;
    private final Policy<Object, ? extends R> policy;
    private final Config config;
    private final long deadlineNanos;

    private Scope(Policy<? super T, ? extends R> policy, Config config) {
        this.policy = widened(policy);
        this.config = config;
        this.inside = new OpenScope(config.name, this.policy);
        if (config.timeout == null) {
            this.deadlineNanos = 0;
        } else {
            this.deadlineNanos = Timers.deadlineAfter(config.timeout);
            inside.expireAt(deadlineNanos);
        }
    }

    @SuppressWarnings("unchecked") // it is only ever given children of this scope
    private static <T extends @Nullable Object, R extends @Nullable Object> Policy<Object, ? extends R> widened(
            Policy<? super T, ? extends R> policy) {
        return (Policy<Object, ? extends R>) Objects.requireNonNull(policy, "policy");
    }

    /**
     * Opens a scope whose first failure cancels the rest: {@link Policy#allSucceed}.
     *
     * @throws IllegalStateException if the caller is neither a coroutine nor a virtual thread that was started in one
     */
    public static <T extends @Nullable Object> Scope<T, @Nullable Void> open() {
        return new Scope<T, @Nullable Void>(Policy.allSucceed(), Config.DEFAULT);
    }

    /**
     * Opens a scope.
     *
     * @throws IllegalStateException if the caller is neither a coroutine nor a virtual thread that was started in one
     */
    public static <T extends @Nullable Object, R extends @Nullable Object> Scope<T, R> open(
            Policy<? super T, ? extends R> policy) {
        return new Scope<>(policy, Config.DEFAULT);
    }

    /**
     * Opens a scope with options.
     *
     * <pre>{@code
     * Scope.open(Policy.firstSuccess(), options -> options.withName("mirrors").withTimeout(Duration.ofSeconds(2)))
     * }</pre>
     *
     * @throws IllegalStateException if the caller is neither a coroutine nor a virtual thread that was started in one
     */
    public static <T extends @Nullable Object, R extends @Nullable Object> Scope<T, R> open(
            Policy<? super T, ? extends R> policy, UnaryOperator<Config> options) {
        return new Scope<>(policy, Objects.requireNonNull(options.apply(Config.DEFAULT), "options"));
    }

    /**
     * Runs a body in a child of this scope. In a scope that is cancelled already the child is cancelled from its start.
     *
     * @throws IllegalStateException if the scope is closed
     * @throws RuntimeException the JDK's {@code StructureViolationException}, if other scoped values are bound than were
     *     when the scope was opened
     */
    public <U extends T> Coroutine<U> fork(Callable<? extends U> body) {
        return inside.<U>fork(null, this.<U>carried(Objects.requireNonNull(body, "body")));
    }

    /** As {@link #fork(Callable)}, for a body without a value. */
    public <U extends T> Coroutine<U> fork(Action body) {
        return inside.<U>fork(null, this.<U>carried(asCallable(body)));
    }

    /** As {@link #fork(Callable)}, under a name that stack dumps and errors show. */
    public <U extends T> Coroutine<U> fork(String name, Callable<? extends U> body) {
        return inside.<U>fork(
                Objects.requireNonNull(name, "name"), this.<U>carried(Objects.requireNonNull(body, "body")));
    }

    /** As {@link #fork(String, Callable)}, for a body without a value. */
    public <U extends T> Coroutine<U> fork(String name, Action body) {
        return inside.<U>fork(Objects.requireNonNull(name, "name"), this.<U>carried(asCallable(body)));
    }

    @SuppressWarnings("NullAway") // the value of a body without one is null, whatever U says
    private static <U extends @Nullable Object> Callable<U> asCallable(Action body) {
        Objects.requireNonNull(body, "body");
        return () -> {
            body.run();
            return null;
        };
    }

    private <U extends @Nullable Object> Callable<? extends U> carried(Callable<? extends U> body) {
        Carrier carrier = config.carrier;
        return carrier == null ? body : carrier.wrap(body);
    }

    /**
     * Waits until every child has ended, those included that are forked meanwhile, and says what the policy makes of it.
     * Children that the timeout has cancelled are awaited too. May be called again.
     *
     * @throws CompletionException if the policy says so, for a child's failure, which is the cause; with a
     *     {@link TimeoutException} as the cause, and what children failed by or made of the interrupt as suppressed, if
     *     the timeout passed before the children had ended
     * @throws CancellationException if the policy says so, for a child that was cancelled
     * @throws InterruptedException if the owner is interrupted; the children go on until the scope is closed
     * @throws WrongThreadException if the caller is not the owner
     */
    public R join() throws InterruptedException {
        inside.checkOwner("join");
        boolean timed = config.timeout != null && !inside.isLate();
        if (!inside.awaitChildren(timed, deadlineNanos)) {
            inside.expire();
            inside.awaitChildren(false, 0);
        }
        List<Throwable> failures = inside.told();
        if (config.timeout != null && inside.isLate()) {
            String message = "scope " + name() + ": its children had not ended after " + Durations.text(config.timeout);
            CompletionException report = new CompletionException(message, new TimeoutException(message));
            failures.forEach(report::addSuppressed);
            throw report;
        }
        return policy.result();
    }

    /** Cancels every child, and every one that is still forked. {@link #join} tells what the policy makes of that. */
    public void cancel() {
        inside.cancel();
    }

    /** Whether the children were cancelled: by {@link #cancel}, by the policy, or by the timeout. */
    public boolean isCancelled() {
        return inside.isCancelled();
    }

    /** The name given, or {@code scope}. */
    public String name() {
        return config.name;
    }

    /**
     * Cancels the children that are left and waits for their end, past any interrupt. A failure of a child that no join
     * has told of, neither the scope's nor the child's, goes to the runtime's failure handler. A second call does nothing.
     *
     * @throws WrongThreadException if the caller is not the owner
     * @throws IllegalStateException if a scope that was opened after this one is still open, which was closed first; or if
     *     scoped values are bound that were not when this one was opened. In either case it is closed
     */
    @Override
    public void close() {
        inside.checkOwner("close");
        inside.close();
    }

    @Override
    public String toString() {
        return "Scope[" + name() + "]";
    }

    /**
     * What becomes of a scope when its children end. One policy serves one scope.
     *
     * @param <T> what children return
     * @param <R> what {@link Scope#join} returns
     */
    public interface Policy<T extends @Nullable Object, R extends @Nullable Object> {
        /** Called on the thread that forks, before the child starts. */
        default void onFork(Coroutine<? extends T> child) {}

        /**
         * Called by each child as it ends, on the child's thread, and by several at once: it must be thread safe.
         *
         * @return true to cancel the children that are left
         */
        boolean onEnd(Coroutine<? extends T> child);

        /** What {@link Scope#join} returns or throws. Called by the owner when no child lives. */
        R result();

        /**
         * The first child that fails cancels the rest, and so does the first that is cancelled. The join returns null;
         * or throws {@link CompletionException} with the first failure as its cause and the others as suppressed, or
         * {@link CancellationException} if there was none.
         */
        static <T extends @Nullable Object> Policy<T, @Nullable Void> allSucceed() {
            return new AllSucceed<>();
        }

        /**
         * The first child that has a value cancels the rest, and the join returns that value. If none has one, it throws
         * {@link CompletionException} with the first failure as its cause and the others as suppressed,
         * {@link CancellationException} if there was none, or {@link NoSuchElementException} if there was no child.
         */
        static <T extends @Nullable Object> Policy<T, T> firstSuccess() {
            return new FirstSuccess<>();
        }

        /** Nothing cancels the rest. The join returns the children in the order in which they were forked. */
        static <T extends @Nullable Object> Policy<T, List<Coroutine<T>>> gather() {
            return new Gather<>();
        }
    }

    /** Brings a context of the thread that forks into the child that is forked. */
    public interface Carrier {
        /** Wraps a child's body. Called on the thread that forks. */
        <T extends @Nullable Object> Callable<T> wrap(Callable<T> body);
    }

    /** Options of a scope. Immutable. */
    public static final class Config {
        private static final Config DEFAULT = new Config("scope", null, null);

        private final String name;
        private final @Nullable Duration timeout;
        private final @Nullable Carrier carrier;

        private Config(String name, @Nullable Duration timeout, @Nullable Carrier carrier) {
            this.name = name;
            this.timeout = timeout;
            this.carrier = carrier;
        }

        /** A name for errors and thread dumps. */
        public Config withName(String text) {
            return new Config(Objects.requireNonNull(text, "name"), timeout, carrier);
        }

        /**
         * How long after its opening the scope is cancelled, whatever its owner does then. Children that had ended by then are a
         * success all the same, however late the join.
         */
        public Config withTimeout(Duration duration) {
            return new Config(name, Objects.requireNonNull(duration, "timeout"), carrier);
        }

        /** What brings the forking thread's context into each child. */
        public Config withContext(Carrier wrapper) {
            return new Config(name, timeout, Objects.requireNonNull(wrapper, "carrier"));
        }
    }
}
