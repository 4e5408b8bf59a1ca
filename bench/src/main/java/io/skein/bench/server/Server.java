package io.skein.bench.server;

import java.io.IOException;

/** A listening server. It serves until closed. */
public interface Server extends AutoCloseable {
    /** How many connections may wait to be accepted; the same for all servers. */
    int BACKLOG = 4096;

    /** The port on the loopback address. */
    int port();

    /** The process that does the work, whose CPU time and memory count. */
    default long pid() {
        return ProcessHandle.current().pid();
    }

    /** One line: product, version and the settings that matter. */
    String describe();

    @Override
    void close() throws IOException;
}
