package io.skein.internal.loom;

/**
 * A body that takes turns with its consumer: one runs while the other is suspended. The consumer calls {@link #resume},
 * the body calls {@link #pause}; what either did before is seen by the other.
 *
 * <p>Each object belongs to one consumer, who is one thread, and to one body.
 */
public sealed interface Turns permits ContinuationTurns, ThreadTurns {
    /** The best that this JVM has, for a body that has not started. It must not throw. */
    static Turns of(Runnable body) {
        return ContinuationTurns.available() ? new ContinuationTurns(body) : new ThreadTurns(body);
    }

    /** The consumer's call: lets the body run until it pauses or ends. Not to be called after the end. */
    void resume();

    /**
     * The body's call: suspends it until it is resumed. False, without a suspension, where that is impossible.
     *
     * @throws StackOverflowError if the body's stack is too large to be suspended
     */
    boolean pause();

    /**
     * The body's call: has the JVM move the body's stack to the heap, where it can. The JVM moves a suspended stack as one
     * piece and refuses a very large one; of what was moved before, only the innermost frames come back.
     */
    void relieveStack();

    /** Whether the caller is the body, and not another body that runs inside it. Anybody may call it. */
    boolean inside();

    /**
     * Sees to it that the body does not outlive the consumer's interest. When {@code consumer} has become unreachable, a
     * body that would hold a thread is resumed once more, after {@code beforehand}, and is expected to end.
     */
    void endWith(Object consumer, Runnable beforehand);

    /** The consumer's call after the body has ended. */
    void end();
}
