package io.skein.bench.load;

import java.io.IOException;

/**
 * Drives a server as a {@link Scenario} says. In a closed loop each connection has exactly one request under way, and the
 * next one leaves when the reply has arrived whole. One thread calls it. A generator must cost less per request than the servers it
 * measures; its report says what it cost.
 */
public interface LoadGenerator extends AutoCloseable {
    /** One line: how it drives the connections. */
    String describe();

    /** Opens the connections, loads the server for ramp and window, and closes them. */
    LoadReport run(LoadOrder order) throws IOException;

    @Override
    void close();
}
