package io.skein.internal.io;

/**
 * One worker's connection to the kernel: it starts operations, completes them, and is the one place to sleep.
 *
 * <p>Only its own worker's thread calls it, coroutines mounted on that thread included, except {@link #wakeUp}
 * and {@link #enters}, which any thread may call.
 */
public interface Driver {
    /** A timeout for {@link #drive} that does not end. */
    long FOREVER = Long.MAX_VALUE;

    /** Starts an operation. It is complete at some later {@link #drive}, or already when this returns. */
    void start(Operation operation);

    /**
     * Asks for an operation in flight to end soon. It still completes exactly once: cancelled, or with the result
     * that it had come to before.
     */
    void cancel(Operation operation);

    /**
     * Hands what was started to the kernel and completes what has finished. With nothing finished it sleeps until
     * something is, until {@link #wakeUp}, or until the timeout has passed, whichever is first.
     *
     * @param timeoutNanos how long to sleep at most: 0 not at all, {@link #FOREVER} without a bound
     */
    void drive(long timeoutNanos);

    /** How often it has called the kernel in order to submit, look or sleep. Any thread may ask. */
    default long enters() {
        return 0;
    }

    /** Ends the sleep of the worker that is in {@link #drive}, or of its next one. */
    void wakeUp();

    /**
     * Ends what the driver keeps in flight for itself and gives everything back. No operation is in flight, and no
     * {@link #wakeUp} may follow. If it fails with an {@link OutOfMemoryError}, it can be called again, and goes on where it was.
     */
    void close();
}
