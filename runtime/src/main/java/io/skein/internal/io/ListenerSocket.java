package io.skein.internal.io;

import java.io.IOException;

/** A listening socket of some backend. Callers are coroutines of its runtime; {@link #close} may come from anywhere. */
public interface ListenerSocket extends BoundSocket {
    /**
     * Waits for a connection.
     *
     * @throws java.net.SocketTimeoutException if none has come when the timeout has passed
     */
    StreamSocket accept(long timeoutNanos) throws IOException;
}
