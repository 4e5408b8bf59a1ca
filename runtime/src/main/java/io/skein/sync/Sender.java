package io.skein.sync;

import java.time.Duration;

/**
 * The side of a {@link Channel} or a {@link Broadcast} that values go in by. Safe for use by any thread.
 *
 * @param <T> the type of the values; null is none
 */
public sealed interface Sender<T> permits Channel, Broadcast {
    /**
     * Sends a value, and waits while there is no room for it.
     *
     * @throws ChannelClosedException if the channel is closed, before or while it waits; the value was not sent
     * @throws InterruptedException if the thread is interrupted while it waits; the value was not sent
     */
    void send(T value) throws InterruptedException;

    /**
     * Sends a value if that needs no waiting.
     *
     * @return whether it was sent
     * @throws ChannelClosedException if the channel is closed
     */
    boolean trySend(T value);

    /**
     * As {@link #send}, but waits no longer than so long.
     *
     * @return whether the value was sent
     * @throws ChannelClosedException if the channel is closed, before or while it waits; the value was not sent
     * @throws InterruptedException if the thread is interrupted while it waits; the value was not sent
     */
    boolean trySend(T value, Duration atMost) throws InterruptedException;

    /**
     * Closes the channel. What is in it can still be received. Who waits to send, or to receive what will not come, gets
     * {@link ChannelClosedException}, and so does who tries to send from now on. Does nothing if the channel is closed.
     */
    void close();

    /**
     * As {@link #close}, with a reason that every {@link ChannelClosedException} has as its cause.
     *
     * @return false if the channel was closed already; then this does nothing
     */
    boolean closeWith(Throwable cause);

    /** Whether it was closed. There may still be values in it. */
    boolean isClosed();
}
