package io.skein.cli.demo;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Accepts {@linkplain Link links}. */
interface LinkListener extends Closeable {

    /** Waits for the next connection. */
    Link accept() throws IOException;

    /** Where it listens, with the real port. */
    InetSocketAddress address() throws IOException;
}
