package io.skein;

import io.skein.internal.loom.Turns;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The body's side of a {@link Generator}: what the body and its consumer pass each other. Whose turn it is owns the
 * fields, and a change of turn orders them.
 *
 * <p>It must not know the generator: where the body has a thread of its own, that thread holds this object, and an
 * abandoned generator would never be collected.
 */
final class Emission<T extends @Nullable Object> implements Emitter<T>, Runnable {
    /** How many bodies may be nested before what is on the stack is moved to the heap; see {@link #relieveStack}. */
    private static final int NESTED_BETWEEN_RELIEFS = 64;

    /** Carries a closed generator's body out of {@code emit}. An error, so that {@code catch (Exception)} lets it by. */
    private static final class Unwinding extends Error {
        private static final long serialVersionUID = 1L;

        Unwinding() {
            super("the generator was closed", null, true, false);
        }
    }

    private Generator.@Nullable Body<T> body;

    private @Nullable Turns turns;

    private @Nullable T element;

    /** Whether {@link #element} waits to be taken. */
    private boolean full;

    private boolean ended;
    private boolean closing;
    private @Nullable Throwable failure;
    private int nested;

    Emission(Generator.Body<T> body) {
        this.body = body;
    }

    // The consumer's side.

    /** Takes the body away, to be run elsewhere or never. */
    Generator.Body<T> takeBody() {
        Generator.Body<T> taken = Objects.requireNonNull(body);
        body = null;
        return taken;
    }

    /** Lets the body run until it has emitted an element or ended; says whether there is an element. */
    boolean advance(Turns turns) {
        this.turns = turns;
        do {
            turns.resume();
        } while (!full && !ended);
        return !ended;
    }

    @SuppressWarnings("NullAway") // null only if T allows it
    T take() {
        T taken = element;
        element = null;
        full = false;
        return taken;
    }

    /** From now on the body is unwound when it is resumed. */
    void close() {
        element = null;
        full = false;
        closing = true;
    }

    /** Throws what the body ended by, if it failed. */
    void throwFailure() {
        if (failure != null) {
            throw unchecked(failure);
        }
    }

    // The body's side.

    @Override
    public void run() {
        try {
            takeBody().run(this);
        } catch (Unwinding e) {
            failure = failureOfCleanup(e);
        } catch (Throwable e) { // whatever it is, the consumer hears of it
            failure = e;
        } finally {
            ended = true;
        }
    }

    /** What {@code close} of a resource threw while the body was unwound. */
    private static @Nullable Throwable failureOfCleanup(Unwinding unwinding) {
        Throwable[] failures = unwinding.getSuppressed();
        for (int i = 1; i < failures.length; i++) {
            failures[0].addSuppressed(failures[i]);
        }
        return failures.length == 0 ? null : failures[0];
    }

    @Override
    public void emit(T value) {
        Turns turns = checkedTurns();
        element = value;
        full = true;
        if (!turns.pause()) { // if it throws, for want of stack, the body ends, and the element counts for nothing
            element = null;
            full = false;
            throw new IllegalStateException(
                    "emit where the body cannot be suspended: inside synchronized, under a native"
                            + " frame or in a class initialiser");
        }
        if (closing) {
            throw new Unwinding();
        }
    }

    @Override
    public void emitAll(Generator<? extends T> inner) {
        checkedTurns();
        Generator.Body<? extends T> unstarted = inner.takeBody();
        if (unstarted == null) {
            try (inner) {
                while (inner.hasNext()) {
                    emit(inner.next());
                }
            }
            return;
        }
        nested++;
        try {
            if (nested % NESTED_BETWEEN_RELIEFS == 0) {
                relieveStack();
            }
            runHere(unstarted);
        } catch (Exception e) {
            throw unchecked(e);
        } finally {
            nested--;
        }
    }

    @SuppressWarnings("unchecked") // who emits a subtype of T may emit to an emitter of T
    private <S extends T> void runHere(Generator.Body<S> inner) throws Exception {
        inner.run((Emitter<S>) this);
    }

    @Override
    public void emitAll(Iterable<? extends T> elements) {
        if (elements instanceof Generator<? extends T> generator) {
            emitAll(generator);
            return;
        }
        checkedTurns();
        for (T element : elements) {
            emit(element);
        }
    }

    /** So that a deep nest is moved to the heap in small pieces. The consumer may be asked to come again for it. */
    private void relieveStack() {
        checkedTurns().relieveStack();
        if (closing) {
            throw new Unwinding();
        }
    }

    private Turns checkedTurns() {
        Turns turns = this.turns;
        if (turns == null || !turns.inside()) {
            throw new IllegalStateException(
                    "emit outside the generator's body: only the thread that runs it may emit, and"
                            + " only until it ends");
        }
        if (closing) {
            throw new IllegalStateException("emit while the generator is being closed");
        }
        return turns;
    }

    private static RuntimeException unchecked(Throwable failure) {
        return switch (failure) {
            case RuntimeException e -> e;
            case Error e -> throw e;
            case InterruptedException e -> {
                Thread.currentThread().interrupt(); // the caller cannot be told by the type
                yield new CompletionException("the generator's body was interrupted", e);
            }
            default -> new CompletionException("the generator's body failed: " + failure, failure);
        };
    }
}
