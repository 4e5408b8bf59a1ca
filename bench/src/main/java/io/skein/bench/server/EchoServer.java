package io.skein.bench.server;

import java.io.IOException;

/** A listening echo server with one thread of execution. It accepts and echoes until closed. */
public interface EchoServer extends AutoCloseable {
    /** How many connections may wait to be accepted; the same for all servers. */
    int BACKLOG = 4096;

    /** The port on the loopback address. */
    int port();

    /** One line: product, version and the settings that matter. */
    String describe();

    @Override
    void close() throws IOException;
}
