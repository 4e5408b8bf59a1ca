package io.skein.sync;

import io.skein.Coroutine;
import io.skein.internal.Budget;
import io.skein.internal.time.Timers;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A wait for the first of several: values to receive, room to send, coroutines that end, a time that passes.
 *
 * <pre>{@code
 * String answer = Select.of(
 *         Select.receive(orders, order -> "order " + order),
 *         Select.send(quotes, quote, () -> "quoted"),
 *         Select.join(worker, result -> "done: " + result),
 *         Select.after(Duration.ofSeconds(1), () -> "nothing for a second"))
 *     .await();
 * }</pre>
 *
 * <p>Exactly one clause takes effect: of the others, nothing is received and nothing sent. If several are there at once,
 * {@link #of} takes any with the same probability, and {@link #inOrder} the first of them. What the clause does runs on the
 * caller's thread when the choice has been made; it may wait, throw, and select again.
 *
 * <p>A select can be awaited any number of times, by any number of threads, and is then cheaper than one that is made anew. The
 * same channel may be in several clauses.
 *
 * @param <R> what comes out
 */
public final class Select<R extends @Nullable Object> {
    /*
     * All channels are locked, in the order of their ids, so that two selects never wait for each other's locks. While they are, a
     * clause takes effect; or if none can, a place in each channel's line is taken. After that the wait ends once: by who serves
     * one of the places, by a coroutine's end, or by the waiter. The losing places are taken out of their lines, one lock at a time.
     */

    /** What is done with what a clause brought. */
    @FunctionalInterface
    public interface Handler<A extends @Nullable Object, R extends @Nullable Object> {
        R apply(A brought) throws InterruptedException;
    }

    /** What is done when a clause brought nothing but itself. */
    @FunctionalInterface
    public interface Answer<R extends @Nullable Object> {
        R get() throws InterruptedException;
    }

    private final Clause.Waited<R>[] clauses;

    /** Each once, in the order in which they are locked. */
    private final Channel<?>[] channels;

    private final Clause.@Nullable After<R> after;
    private final Clause.@Nullable Otherwise<R> otherwise;
    private final boolean fair;

    @SuppressWarnings("unchecked") // a clause only gives its result out
    private Select(Clause<? extends R>[] given, boolean fair) {
        if (given.length == 0) {
            throw new IllegalArgumentException("a select of no clauses would wait for ever");
        }
        Clause.Waited<R>[] waited = (Clause.Waited<R>[]) new Clause.Waited<?>[given.length];
        int count = 0;
        Clause.After<R> soonest = null;
        Clause.Otherwise<R> last = null;
        for (Clause<? extends R> clause : given) {
            if (clause instanceof Clause.Waited<?> some) {
                waited[count++] = (Clause.Waited<R>) some;
            } else if (clause instanceof Clause.After<?> some) {
                soonest = soonest == null || some.nanos < soonest.nanos ? (Clause.After<R>) some : soonest;
            } else if (last == null) {
                last = (Clause.Otherwise<R>) Objects.requireNonNull(clause, "clause");
            } else {
                throw new IllegalArgumentException("a select has one otherwise at most");
            }
        }
        this.clauses = count == waited.length ? waited : Arrays.copyOf(waited, count);
        this.channels = inLockOrder(clauses);
        this.after = soonest;
        this.otherwise = last;
        this.fair = fair;
    }

    /** The channels of some clauses, each once, by their ids. There are few, so each is put in its place. */
    private static Channel<?>[] inLockOrder(Clause.Waited<?>[] clauses) {
        Channel<?>[] sorted = new Channel<?>[clauses.length];
        int count = 0;
        for (Clause.Waited<?> clause : clauses) {
            Channel<?> channel = clause.channel();
            if (channel == null) {
                continue;
            }
            int place = count;
            while (place > 0 && sorted[place - 1].id > channel.id) {
                place--;
            }
            if (place == 0 || sorted[place - 1] != channel) {
                System.arraycopy(sorted, place, sorted, place + 1, count - place);
                sorted[place] = channel;
                count++;
            }
        }
        return count == sorted.length ? sorted : Arrays.copyOf(sorted, count);
    }

    /**
     * A select that takes any of the clauses that are there, each with the same probability.
     *
     * @throws IllegalArgumentException if there is no clause, or more than one {@link #otherwise}
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <R extends @Nullable Object> Select<R> of(Clause<? extends R>... clauses) {
        return new Select<>(clauses, true);
    }

    /**
     * A select that takes the first of the clauses that are there.
     *
     * @throws IllegalArgumentException if there is no clause, or more than one {@link #otherwise}
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <R extends @Nullable Object> Select<R> inOrder(Clause<? extends R>... clauses) {
        return new Select<>(clauses, false);
    }

    // The clauses.

    /** A value is received. If the channel is closed and nothing is left in it, the select throws {@link ChannelClosedException}. */
    public static <T, R extends @Nullable Object> Clause<R> receive(
            Channel<T> channel, Handler<? super T, ? extends R> handler) {
        return new Clause.Receive<>(channel, handler, null);
    }

    /**
     * A value is received, or the channel is closed and nothing is left in it. If the channel was
     * {@linkplain Channel#closeWith closed with} something, the select throws {@link ChannelClosedException} all the same.
     */
    public static <T, R extends @Nullable Object> Clause<R> receive(
            Channel<T> channel, Handler<? super T, ? extends R> handler, Answer<? extends R> closed) {
        return new Clause.Receive<>(channel, handler, Objects.requireNonNull(closed, "closed"));
    }

    /** A value is sent. If the channel is closed, the select throws {@link ChannelClosedException}. */
    public static <T, R extends @Nullable Object> Clause<R> send(
            Channel<T> channel, T value, Answer<? extends R> then) {
        return new Clause.Send<>(channel, value, then);
    }

    /**
     * A coroutine has ended. The handler gets its value; if it failed or was cancelled, the select throws what
     * {@link Coroutine#join} throws.
     */
    public static <T extends @Nullable Object, R extends @Nullable Object> Clause<R> join(
            Coroutine<T> coroutine, Handler<? super T, ? extends R> handler) {
        return new Clause.Join<>(coroutine, handler);
    }

    /** So much time has passed since the select was awaited, and no other clause was there. Of several, the shortest counts. */
    public static <R extends @Nullable Object> Clause<R> after(Duration duration, Answer<? extends R> then) {
        return new Clause.After<>(Timers.nanos(duration), then);
    }

    /** No other clause is there at once. A select with this clause never waits. */
    public static <R extends @Nullable Object> Clause<R> otherwise(Answer<? extends R> then) {
        return new Clause.Otherwise<>(then);
    }

    // The choice.

    /**
     * Waits for the first clause.
     *
     * @return what the clause's handler returned
     * @throws ChannelClosedException if the clause's channel is closed, and the clause does not provide for that
     * @throws IllegalStateException if the end of the calling coroutine is all that it would wait for
     * @throws InterruptedException if the thread is interrupted while it waits, and then no clause took effect; or what the
     *     handler threw
     */
    public R await() throws InterruptedException {
        Budget.spend();
        lock();
        int chosen;
        Object outcome = null;
        try {
            for (chosen = choose(); chosen >= 0; chosen = choose()) {
                outcome = clauses[chosen].attempt();
                if (outcome != null) {
                    break;
                }
            }
        } catch (Throwable e) { // no memory for what is sent
            unlock();
            throw e;
        }
        if (outcome != null) {
            unlock();
            return clauses[chosen].finish(outcome);
        }
        if (otherwise != null) {
            unlock();
            return otherwise.finish(this);
        }
        if (after == null && isOfCallerOnly()) {
            unlock();
            throw new IllegalStateException("a coroutine selects nothing but its own end, so it would never end");
        }
        return suspend();
    }

    private boolean isOfCallerOnly() {
        for (Clause.Waited<R> clause : clauses) {
            if (!clause.isOfCaller()) {
                return false;
            }
        }
        return true;
    }

    /** A clause that may take effect, or -1. */
    private int choose() {
        int ready = 0;
        int only = -1;
        for (int i = 0; i < clauses.length; i++) {
            if (clauses[i].mayAttempt()) {
                ready++;
                only = i;
                if (!fair) {
                    return i;
                }
            }
        }
        if (ready < 2) {
            return only;
        }
        int skipped = ThreadLocalRandom.current().nextInt(ready);
        for (int i = 0; i < clauses.length; i++) {
            if (clauses[i].mayAttempt() && skipped-- == 0) {
                return i;
            }
        }
        return only; // unless a coroutine ended meanwhile, one was found
    }

    /** Called with all locks, which it gives back. */
    private R suspend() throws InterruptedException {
        SelectWait wait;
        @Nullable Place[] places;
        try {
            wait = new SelectWait();
            places = new Place[clauses.length];
            for (int i = 0; i < clauses.length; i++) {
                places[i] = clauses[i].place(wait);
            }
            enlist(places);
        } finally {
            unlock();
        }
        Object first;
        try {
            first = awaitFirst(wait, places);
        } finally {
            for (int i = 0; i < clauses.length; i++) {
                clauses[i].end(wait, places[i]);
            }
        }
        if (first == null) {
            if (after == null || Thread.currentThread().isInterrupted()) {
                Thread.interrupted(); // told by the exception instead
                throw new InterruptedException("interrupted while waiting for one of " + clauses.length + " clauses");
            }
            return after.finish(this);
        }
        return finish(first, places);
    }

    private void enlist(@Nullable Place[] places) {
        for (int i = 0; i < places.length; i++) {
            Place place = places[i];
            if (place != null) {
                clauses[i].enlist(place);
            }
        }
    }

    private @Nullable Object awaitFirst(SelectWait wait, @Nullable Place[] places) {
        try {
            for (int i = 0; i < clauses.length; i++) {
                clauses[i].begin(wait, places[i]);
            }
            return after == null ? wait.awaitFirst() : wait.awaitFirstUntil(System.nanoTime() + after.nanos);
        } catch (Throwable e) { // for lack of stack or memory; but a clause may have taken effect
            Object first = wait.firstOrGiveUp();
            if (first == null) {
                throw e;
            }
            return first;
        }
    }

    private R finish(Object first, @Nullable Place[] places) throws InterruptedException {
        for (int i = 0; i < clauses.length; i++) {
            Object outcome = clauses[i].outcome(first, places[i]);
            if (outcome != null) {
                return clauses[i].finish(outcome);
            }
        }
        throw new AssertionError("ended by none of the clauses: " + first);
    }

    private void lock() {
        for (int held = 0; held < channels.length; held++) {
            Channel<?> next = channels[held];
            if (held == 0) {
                next.lock();
            } else if (!next.tryLock()) { // who waits for it may be suspended, and must not hold the others then
                unlock(held);
                next.lock();
                next.unlock();
                held = -1;
            }
        }
    }

    private void unlock() {
        unlock(channels.length);
    }

    private void unlock(int held) {
        for (int i = 0; i < held; i++) {
            channels[i].unlock();
        }
    }

    @Override
    public String toString() {
        return "Select[" + clauses.length + " clauses, " + (fair ? "fair" : "in order") + ", "
                + Arrays.toString(channels) + "]";
    }
}
