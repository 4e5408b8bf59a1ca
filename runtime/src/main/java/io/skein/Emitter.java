package io.skein;

import org.jspecify.annotations.Nullable;

/**
 * What the body of a {@link Generator} hands its elements to. It belongs to that body: only the thread that runs the
 * body may call it, and only while the body runs.
 *
 * <p>Every method throws {@link IllegalStateException} when it is called from anywhere else: from another thread, after
 * the end, from the body of another generator, while the generator is being closed, or where the body cannot be
 * suspended, which is inside {@code synchronized}, under a native frame and in a class initialiser.
 *
 * @param <T> the type of the elements
 */
public sealed interface Emitter<T extends @Nullable Object> permits Emission {
    /**
     * Hands over one element, and returns when the next one is asked for. If the generator is closed instead, the body is
     * unwound from here: this throws an {@link Error} that is not to be caught.
     */
    void emit(T value);

    /**
     * Emits all elements of another generator, which is used up by that.
     *
     * <p>A generator that has not started costs nothing extra: its body is called as a plain method and emits straight to
     * this emitter's consumer, however deep such calls are nested. One that has started is iterated, and closed at
     * the end.
     *
     * @throws java.util.concurrent.CompletionException if the other body threw a checked exception, which is the cause
     */
    void emitAll(Generator<? extends T> inner);

    /** Emits all elements in the order of their iterator. */
    void emitAll(Iterable<? extends T> elements);
}
