package io.skein.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Finds the addresses of a host. It is called on a thread of the blocking pool, by several at once, and may block.
 *
 * <p>Those who ask the same resolver for the same host at the same time share one call and its answer. When all of them have given up,
 * the call is interrupted. At most 32 calls run at once in a runtime; others wait for their turn.
 */
@FunctionalInterface
public interface Resolver {
    /**
     * The addresses of a host, the preferred one first.
     *
     * @throws UnknownHostException if nobody knows the host
     */
    List<InetAddress> resolve(String host) throws IOException;

    /** The JDK's, which asks the operating system and remembers the answers for a while. */
    static Resolver system() {
        return host -> List.of(InetAddress.getAllByName(host));
    }
}
