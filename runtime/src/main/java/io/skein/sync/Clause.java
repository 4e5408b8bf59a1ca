package io.skein.sync;

import io.skein.Coroutine;
import io.skein.internal.task.Completion;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One of the things that a {@link Select} waits for, and what is done then. Immutable.
 *
 * @param <R> what comes out
 */
public abstract sealed class Clause<R extends @Nullable Object> {
    private Clause() {}

    /** What is done, with what the clause brought; returns what comes out. */
    abstract R finish(Object outcome) throws InterruptedException;

    /** A clause that is not always there at once. */
    abstract static sealed class Waited<R extends @Nullable Object> extends Clause<R> {
        /** The channel whose lock {@link #mayAttempt}, {@link #attempt} and {@link #enlist} need; null if none. */
        @Nullable
        Channel<?> channel() {
            return null;
        }

        /** Whether {@link #attempt} might take effect. */
        abstract boolean mayAttempt();

        /** Takes effect, unless somebody would have to wait: then returns null. */
        abstract @Nullable Object attempt();

        /** A place to get in line with, if it needs one. */
        @Nullable
        Place place(SelectWait wait) {
            return null;
        }

        /** Gets in line with its place. It takes no memory, so that all clauses get in line or none. */
        void enlist(Place place) {}

        /** Whether the caller itself would have to end first. */
        boolean isOfCaller() {
            return false;
        }

        /** Told when the wait begins, without any lock. */
        void begin(SelectWait wait, @Nullable Place place) {}

        /** Told when the wait is over, without any lock. */
        void end(SelectWait wait, @Nullable Place place) {}

        /** What it brought, if it is the one that ended the wait; else null. */
        abstract @Nullable Object outcome(Object first, @Nullable Place place);
    }

    static final class Receive<T, R extends @Nullable Object> extends Waited<R> {
        private final Channel<T> channel;
        private final Select.Handler<? super T, ? extends R> handler;
        private final Select.@Nullable Answer<? extends R> closed;

        Receive(
                Channel<T> channel,
                Select.Handler<? super T, ? extends R> handler,
                Select.@Nullable Answer<? extends R> closed) {
            this.channel = Objects.requireNonNull(channel, "channel");
            this.handler = Objects.requireNonNull(handler, "handler");
            this.closed = closed;
        }

        @Override
        Channel<?> channel() {
            return channel;
        }

        @Override
        boolean mayAttempt() {
            return channel.mayPoll();
        }

        @Override
        @Nullable
        Object attempt() {
            return channel.poll();
        }

        @Override
        Place place(SelectWait wait) {
            return new Place(wait, null);
        }

        @Override
        void enlist(Place place) {
            channel.receivers.add(place);
        }

        @Override
        void end(SelectWait wait, @Nullable Place place) {
            if (place != null && place.inLine) { // only others take it out, so a stale look costs a lock and no more
                channel.remove(channel.receivers, place);
            }
        }

        @Override
        @Nullable
        Object outcome(Object first, @Nullable Place place) {
            return place != null && first == place ? channel.received(place) : null;
        }

        @Override
        R finish(Object outcome) throws InterruptedException {
            if (outcome instanceof Closing closing) {
                if (closed == null || closing.cause() != null) {
                    throw closing.exception();
                }
                return closed.get();
            }
            return handler.apply(channel.cast(outcome));
        }
    }

    static final class Send<T, R extends @Nullable Object> extends Waited<R> {
        private final Channel<T> channel;
        private final T value;
        private final Select.Answer<? extends R> then;

        Send(Channel<T> channel, T value, Select.Answer<? extends R> then) {
            this.channel = Objects.requireNonNull(channel, "channel");
            this.value = Objects.requireNonNull(value, "value");
            this.then = Objects.requireNonNull(then, "then");
        }

        @Override
        Channel<?> channel() {
            return channel;
        }

        @Override
        boolean mayAttempt() {
            return channel.mayOffer();
        }

        @Override
        @Nullable
        Object attempt() {
            return channel.offer(value);
        }

        @Override
        Place place(SelectWait wait) {
            return new Place(wait, value);
        }

        @Override
        void enlist(Place place) {
            channel.senders.add(place);
        }

        @Override
        void end(SelectWait wait, @Nullable Place place) {
            if (place != null && place.inLine) { // only others take it out, so a stale look costs a lock and no more
                channel.remove(channel.senders, place);
            }
        }

        @Override
        @Nullable
        Object outcome(Object first, @Nullable Place place) {
            return place != null && first == place ? channel.sent(place) : null;
        }

        @Override
        R finish(Object outcome) throws InterruptedException {
            Closing.throwIfClosed(outcome);
            return then.get();
        }
    }

    static final class Join<T extends @Nullable Object, R extends @Nullable Object> extends Waited<R> {
        private final Coroutine<T> coroutine;
        private final Completion<?> completion;
        private final Select.Handler<? super T, ? extends R> handler;

        Join(Coroutine<T> coroutine, Select.Handler<? super T, ? extends R> handler) {
            this.coroutine = Objects.requireNonNull(coroutine, "coroutine");
            this.completion = (Completion<?>) coroutine;
            this.handler = Objects.requireNonNull(handler, "handler");
        }

        @Override
        boolean mayAttempt() {
            return completion.isDone();
        }

        @Override
        @Nullable
        Object attempt() {
            return completion.isDone() ? completion : null;
        }

        @Override
        boolean isOfCaller() {
            return completion.isCaller();
        }

        @Override
        void begin(SelectWait wait, @Nullable Place place) {
            if (!completion.tell(wait)) {
                wait.resumeBy(completion);
            }
        }

        @Override
        void end(SelectWait wait, @Nullable Place place) {
            completion.forget(wait);
        }

        @Override
        @Nullable
        Object outcome(Object first, @Nullable Place place) {
            return first == completion ? completion : null;
        }

        @Override
        R finish(Object outcome) throws InterruptedException {
            return handler.apply(coroutine.join());
        }
    }

    /** Nothing will come out any more; or something has changed, so that the one who waits had better look. */
    static final class End<R extends @Nullable Object> extends Waited<R> {
        private final Ending source;
        private final Select.Answer<? extends R> then;

        End(Ending source, Select.Answer<? extends R> then) {
            this.source = source;
            this.then = then;
        }

        @Override
        boolean mayAttempt() {
            return false; // the source's lock may not be taken under that of a channel
        }

        @Override
        @Nullable
        Object attempt() {
            return null;
        }

        @Override
        Place place(SelectWait wait) {
            return new Place(wait, null);
        }

        @Override
        void begin(SelectWait wait, @Nullable Place place) {
            if (place != null && !source.enlist(place)) {
                wait.resumeBy(place);
            }
        }

        @Override
        void end(SelectWait wait, @Nullable Place place) {
            if (place != null && place.inLine) { // only others take it out, so a stale look costs a lock and no more
                source.forget(place);
            }
        }

        @Override
        @Nullable
        Object outcome(Object first, @Nullable Place place) {
            return first == place ? place : null;
        }

        @Override
        R finish(Object outcome) throws InterruptedException {
            return then.get();
        }
    }

    static final class After<R extends @Nullable Object> extends Clause<R> {
        final long nanos;
        private final Select.Answer<? extends R> then;

        After(long nanos, Select.Answer<? extends R> then) {
            this.nanos = nanos;
            this.then = Objects.requireNonNull(then, "then");
        }

        @Override
        R finish(Object outcome) throws InterruptedException {
            return then.get();
        }
    }

    static final class Otherwise<R extends @Nullable Object> extends Clause<R> {
        private final Select.Answer<? extends R> then;

        Otherwise(Select.Answer<? extends R> then) {
            this.then = Objects.requireNonNull(then, "then");
        }

        @Override
        R finish(Object outcome) throws InterruptedException {
            return then.get();
        }
    }
}
