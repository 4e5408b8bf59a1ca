package io.skein.sync;

import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The side of a {@link Channel}, a {@link Broadcast} or a {@link Watch} that values come out by. Safe for use by any thread.
 *
 * @param <T> the type of the values; null is none
 */
public sealed interface Receiver<T> extends Iterable<T> permits Channel, Listener {
    /**
     * Receives a value, and waits while there is none.
     *
     * @throws ChannelClosedException if the channel is closed and nothing is left in it
     * @throws InterruptedException if the thread is interrupted while it waits; nothing was received
     */
    T receive() throws InterruptedException;

    /**
     * Receives a value if there is one.
     *
     * @return the value, or null if there is none
     * @throws ChannelClosedException if the channel is closed and nothing is left in it
     */
    @Nullable
    T tryReceive();

    /**
     * As {@link #receive}, but waits no longer than so long.
     *
     * @return the value, or null if there was none in that time
     * @throws ChannelClosedException if the channel is closed and nothing is left in it
     * @throws InterruptedException if the thread is interrupted while it waits; nothing was received
     */
    @Nullable
    T tryReceive(Duration atMost) throws InterruptedException;

    /**
     * The values that are received from now on, until the channel is closed and nothing is left in it. {@code hasNext} receives,
     * and so waits; who asks it and then does not ask for {@code next} has taken a value that nobody else will see.
     *
     * <p>If the channel was {@linkplain Sender#closeWith closed with} something, the loop ends by {@link ChannelClosedException}.
     * An interrupt ends it by {@link CancellationException}, and the interrupt status stays set.
     */
    @Override
    default Iterator<T> iterator() {
        return new ReceivedValues<>(this);
    }
}
