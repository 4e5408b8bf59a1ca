package io.skein.internal.io.uring;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;

/**
 * The address of a connection's other end as a number: there may be many connections, and few are asked for it. Only addresses of
 * IPv4 that have no host name have one.
 */
final class Peer {
    /** The number of no address. */
    static final long NONE = -1;

    private Peer() {}

    /** A number that {@link #address} understands, or {@link #NONE}. */
    static long number(SocketAddress address) {
        if (address instanceof InetSocketAddress internet
                && internet.getAddress() instanceof Inet4Address host
                && internet.getHostString().equals(host.getHostAddress())) {
            long number = 0;
            for (byte part : host.getAddress()) {
                number = number << 8 | (part & 0xff);
            }
            return number << 16 | internet.getPort();
        }
        return NONE;
    }

    static SocketAddress address(long number) {
        byte[] bytes = {(byte) (number >> 40), (byte) (number >> 32), (byte) (number >> 24), (byte) (number >> 16)};
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), (int) (number & 0xffff));
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // four bytes are an address
        }
    }
}
