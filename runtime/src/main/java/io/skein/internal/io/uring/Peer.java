package io.skein.internal.io.uring;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;

/**
 * The address of a connection's other end, kept small: there may be many connections, and few are asked for it.
 *
 * <p>An address of IPv4 that has no host name is a number; it is made an object when somebody asks. Others are kept as
 * they are.
 */
final class Peer {
    private Peer() {}

    /** A form that {@link #address} understands. */
    static Object compact(SocketAddress address) {
        if (address instanceof InetSocketAddress internet
                && internet.getAddress() instanceof Inet4Address host
                && internet.getHostString().equals(host.getHostAddress())) {
            byte[] bytes = host.getAddress();
            long number = 0;
            for (byte part : bytes) {
                number = number << 8 | (part & 0xff);
            }
            return number << 16 | internet.getPort();
        }
        return address;
    }

    static SocketAddress address(Object compact) {
        if (compact instanceof SocketAddress address) {
            return address;
        }
        long number = (Long) compact;
        byte[] bytes = {(byte) (number >> 40), (byte) (number >> 32), (byte) (number >> 24), (byte) (number >> 16)};
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), (int) (number & 0xffff));
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // four bytes are an address
        }
    }
}
