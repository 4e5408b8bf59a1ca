package io.skein;

import io.skein.internal.AwaiterWait;
import org.jspecify.annotations.Nullable;

/**
 * Something that a coroutine can wait for: the extension point for waits of your own.
 *
 * <pre>{@code
 * final class Reply implements Awaiter<String> {
 *     private volatile String text;
 *
 *     public boolean ready() {
 *         return text != null;
 *     }
 *
 *     public boolean suspend(Resumer resumer) {
 *         client.ask(question, answer -> {
 *             text = answer;
 *             resumer.resume();
 *         });
 *         return true;
 *     }
 *
 *     public String resume() {
 *         return text;
 *     }
 * }
 *
 * String text = new Reply().await();
 * }</pre>
 *
 * <p>The thread that awaits calls {@code ready}, then {@code suspend} unless that said true, waits, and calls
 * {@code resume} for the value. A coroutine that waits gives way to others; a thread of any other kind blocks. One
 * awaiter serves one await at a time.
 *
 * @param <T> the type of the value
 */
public interface Awaiter<T extends @Nullable Object> {
    /** Whether there is nothing to wait for, so that {@link #resume} can be called at once. */
    default boolean ready() {
        return false;
    }

    /**
     * Makes sure that somebody will call {@link Resumer#resume}, now or later, on this thread or another. What it
     * throws, the await throws; then nobody waits.
     *
     * @return false if there is nothing to wait for after all
     */
    boolean suspend(Resumer resumer);

    /**
     * The value, now that the wait is over. Called on the thread that awaits.
     *
     * @throws InterruptedException if the wait was cancelled and there is no value
     */
    T resume() throws InterruptedException;

    /**
     * Asked once, on the waiting thread, when that thread is interrupted.
     *
     * <p>True withdraws: the await throws {@link InterruptedException}, unless somebody resumed it before. From then on
     * {@link Resumer#resume} returns false, so that whoever had something to hand over knows that nobody took it. False
     * says that an answer will come: the wait goes on, past further interrupts, until somebody resumes it, and then
     * {@link #resume} tells what became of it. What this throws, the await throws.
     */
    default boolean cancel() {
        return true;
    }

    /**
     * Waits.
     *
     * @return what {@link #resume} returns; if the thread was interrupted meanwhile, its interrupt status is set
     * @throws InterruptedException if the thread was interrupted before the wait, or during it and there is no value
     */
    default T await() throws InterruptedException {
        return AwaiterWait.of(this);
    }
}
