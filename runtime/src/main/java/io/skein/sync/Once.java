package io.skein.sync;

import io.skein.internal.Budget;
import io.skein.internal.sync.Patience;
import io.skein.internal.sync.Tenure;
import io.skein.internal.time.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A value that is computed when somebody first asks for it, and then kept. Any thread may ask.
 *
 * <pre>{@code
 * private final Once<Connection> connection = Once.of(() -> Connection.open(address));
 *
 * Reply ask(Question question) throws Exception {
 *     return connection.get().ask(question);
 * }
 * }</pre>
 *
 * <p>Whoever asks first computes; others who ask meanwhile wait. The computation may wait for whatever it likes.
 *
 * <p><b>Failures are not kept.</b> If the computation throws, whoever computed gets the exception, and the next one in line, or the
 * next who asks, tries again. An interrupt of the one that computes is such a failure: it is cancelled, and another one
 * computes. So a value is computed successfully once at most. If you want the failure kept for everybody, use a
 * {@link io.skein.Task}.
 *
 * @param <T> the type of the value
 */
public final class Once<T extends @Nullable Object> {
    private static final Object NONE = new Object();

    /** Held by the one that computes. */
    private final Tenure computing = new Tenure();

    /** Dropped with the value, for what it holds. Guarded by the tenure. */
    private @Nullable Callable<? extends T> body;

    private volatile @Nullable Object value = NONE;

    private Once(Callable<? extends T> body) {
        this.body = body;
    }

    /** A value that the body will compute. */
    public static <T extends @Nullable Object> Once<T> of(Callable<? extends T> body) {
        return new Once<>(Objects.requireNonNull(body, "body"));
    }

    /**
     * The value. Computes it, or waits for another who does, if need be.
     *
     * @throws InterruptedException if the thread is interrupted while it waits, or the computation throws it
     * @throws CompletionException if the caller computed, and that threw a checked exception, which is the cause; an unchecked
     *     one is thrown as it is
     * @throws IllegalStateException if the computation asks for the value itself
     */
    public T get() throws InterruptedException {
        Budget.spend();
        Object seen = value;
        if (seen == NONE) {
            take(Patience.ENDLESS);
            seen = computed();
        }
        return cast(seen);
    }

    /**
     * As {@link #get()}, and waits for another no longer than so long. It does not bound a computation of the caller's own.
     *
     * @throws TimeoutException if there was no value in that time
     */
    public T get(Duration timeout) throws InterruptedException, TimeoutException {
        Budget.spend();
        Object seen = value;
        if (seen == NONE) {
            if (take(Patience.of(timeout))) {
                seen = computed();
            } else if ((seen = value) == NONE) { // or those before it in line were slow to take what there is
                throw new TimeoutException("no value within " + Durations.text(timeout));
            }
        }
        return cast(seen);
    }

    /** Whether there is a value, so that {@link #get()} returns at once. */
    public boolean isDone() {
        return value != NONE;
    }

    private boolean take(Patience patience) throws InterruptedException {
        if (computing.isHeldByCaller()) {
            throw new IllegalStateException("the computation of a value asks for that value, so it would never end");
        }
        return computing.take(patience);
    }

    /** The value, by the one who has taken its turn and gives it back. */
    private @Nullable Object computed() throws InterruptedException {
        try {
            if (value == NONE) {
                value = Objects.requireNonNull(body, "body").call();
                body = null;
            }
            return value;
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new CompletionException("the computation failed: " + e, e);
        } finally {
            computing.give();
        }
    }

    /** Whether nobody waits. For tests. */
    boolean isDeserted() {
        return computing.isDeserted();
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // only the body's value is kept, which is a T
    private T cast(@Nullable Object seen) {
        return (T) seen;
    }

    @Override
    public String toString() {
        Object seen = value;
        if (seen != NONE) {
            return "Once[computed: " + seen + "]";
        }
        Thread computer = computing.holder();
        return computer == null
                ? "Once[not computed]"
                : "Once[being computed by " + Mutex.nameOf(computer) + computing.waitersDescribed() + "]";
    }
}
