package io.skein.sync;

import org.jspecify.annotations.Nullable;

/**
 * Says that a channel is closed: nothing can be sent to it, and there is nothing left to receive. The cause is what the channel
 * was {@linkplain Channel#closeWith closed with}, if anything.
 */
public final class ChannelClosedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ChannelClosedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
