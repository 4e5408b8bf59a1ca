package io.skein.internal.io;

import java.io.IOException;
import java.net.InetSocketAddress;

/** A listening socket of some backend. Callers are coroutines of its runtime; {@link #close} may come from anywhere. */
public interface ListenerSocket {
    StreamSocket accept() throws IOException;

    InetSocketAddress localAddress();

    /** Gives the descriptor back and wakes whoever is in {@link #accept}. */
    void close();
}
