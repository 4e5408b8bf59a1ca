package io.skein;

import io.skein.internal.task.LazyTask;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A body that runs when its value is first asked for, and at most once. Safe for use by any thread.
 *
 * <pre>{@code
 * Task<Config> config = Task.of(() -> parse(Files.readString(path)));
 * ...
 * config.await().port();   // parsed here, by the first who asks
 * }</pre>
 *
 * <p>Whoever asks first runs the body itself, as a plain call: no switch, no queue. Others who ask meanwhile wait; everyone
 * gets the same outcome. To have it run beside the caller, spawn it or fork it: a task is a {@link Callable}.
 *
 * @param <T> the type of its value
 */
public sealed interface Task<T extends @Nullable Object> extends Callable<T> permits LazyTask {
    /** A task that nobody has asked for yet. */
    static <T extends @Nullable Object> Task<T> of(Callable<? extends T> body) {
        return new LazyTask<>(null, Objects.requireNonNull(body, "body"));
    }

    /** A task that nobody has asked for yet, with a name that errors show. */
    static <T extends @Nullable Object> Task<T> of(String name, Callable<? extends T> body) {
        return new LazyTask<>(Objects.requireNonNull(name, "name"), Objects.requireNonNull(body, "body"));
    }

    /**
     * The value: by running the body if nobody has, else by waiting for who does.
     *
     * @throws CompletionException if the body failed; the cause is what it threw
     * @throws CancellationException if the thread that ran the body was interrupted in it, and the body gave up: by an exception
     *     that tells of an interrupt, or by any other if that thread was a coroutine that was cancelled, or under a limit that
     *     had passed. The cause is what the body threw; the thread that ran it gets a {@code CompletionException} for any other
     * @throws InterruptedException if the caller is interrupted: while it waits, and then the task goes on; or in the body
     *     that it runs, and then the task is cancelled for everybody
     * @throws IllegalStateException if the task awaits itself
     */
    T await() throws InterruptedException;

    /**
     * As {@link #await}, for where a {@link Callable} is wanted: what the body threw is thrown as it is.
     *
     * @throws Exception what the body threw
     */
    @Override
    T call() throws Exception;

    /** The name given, or one made up. */
    String name();

    /** Whether the body has ended. */
    boolean isDone();

    /** How the body ended; {@code RUNNING} until then, whether or not it has begun. */
    Future.State state();
}
