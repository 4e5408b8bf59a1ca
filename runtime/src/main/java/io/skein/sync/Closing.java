package io.skein.sync;

import org.jspecify.annotations.Nullable;

/**
 * That a channel was closed, and with what. Stands where an operation's outcome would stand otherwise.
 *
 * @param cause why, if the channel was closed with something
 */
record Closing(@Nullable Throwable cause) {
    /** Throws if an outcome says that the channel is closed. */
    static void throwIfClosed(@Nullable Object outcome) {
        if (outcome instanceof Closing closing) {
            throw closing.exception();
        }
    }

    /** What tells whoever comes too late, at its own place in the code. */
    ChannelClosedException exception() {
        return new ChannelClosedException(
                cause == null ? "the channel is closed" : "the channel was closed with " + cause, cause);
    }
}
