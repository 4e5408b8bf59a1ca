package io.skein.internal.io;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * One way to do I/O: it makes a driver for each worker and sockets and files that speak to those drivers.
 *
 * <p>One per runtime; any thread may call it.
 */
public interface Backend {
    /** A driver for the calling thread, which is the worker that will use it. */
    Driver openDriver() throws IOException;

    /** A socket bound to an address, listening. */
    ListenerSocket listen(Submitter submitter, ListenPlan plan) throws IOException;

    /**
     * A socket connected to an address.
     *
     * @throws java.net.SocketTimeoutException if it is not connected when the plan's timeout has passed
     */
    StreamSocket connect(Submitter submitter, ConnectPlan plan) throws IOException;

    /** A socket for datagrams, bound to a resolved address. */
    PacketSocket bindPackets(Submitter submitter, InetSocketAddress address, List<Setting<?>> settings)
            throws IOException;

    /** As the other, without options. */
    default PacketSocket bindPackets(Submitter submitter, InetSocketAddress address) throws IOException {
        return bindPackets(submitter, address, List.of());
    }

    /** Buffers to lend with what has arrived. */
    LeasePool leases();

    /** The file system, for the callers that a submitter serves. */
    FileTree files(Submitter submitter);

    /** What was granted, in a few words for the line that a runtime says of itself. */
    String describe();

    /** Closes the sockets and files that are still open and gives shared memory back; every driver is closed by then. */
    void close();
}
