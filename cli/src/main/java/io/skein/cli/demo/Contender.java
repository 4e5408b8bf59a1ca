package io.skein.cli.demo;

import io.skein.Action;
import java.io.IOException;
import java.net.InetSocketAddress;

/** What carries the swarm: starts threads of control and gives them TCP. May be used from any thread. */
interface Contender extends AutoCloseable {

    /** How the table calls it. */
    String name();

    /** What does its I/O. */
    String driver();

    /** How many platform threads run its code. */
    int workers();

    /** Starts {@code body} beside the caller. */
    void spawn(Action body);

    /** Opens a listener on a free port of the loopback address. */
    LinkListener listen() throws IOException;

    /** Connects to a listener of this contender; called from a spawned body. */
    Link connect(InetSocketAddress server) throws IOException;

    /** Interrupts what still runs, waits for it to end, and frees everything. */
    @Override
    void close();
}
