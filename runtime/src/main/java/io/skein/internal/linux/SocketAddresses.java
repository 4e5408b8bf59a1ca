package io.skein.internal.linux;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * {@code struct sockaddr_in} and {@code sockaddr_in6}: how the kernel writes an Internet address.
 *
 * <p>Any thread may call it. Port and address are in network byte order, the family in the machine's.
 */
public final class SocketAddresses {
    /** Room for either form, rounded up. */
    public static final int SIZE = 32;

    private static final int FAMILY = 0;
    private static final int PORT = 2;
    private static final int V4_ADDRESS = 4;
    private static final int V4_SIZE = 16;
    private static final int V6_ADDRESS = 8;
    private static final int V6_SCOPE = 24;
    private static final int V6_SIZE = 28;

    private SocketAddresses() {}

    public static int family(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address ? Libc.AF_INET6 : Libc.AF_INET;
    }

    /** Writes a resolved address; returns the bytes it takes. */
    public static int encode(InetSocketAddress address, long target) {
        InetAddress host = address.getAddress();
        byte[] bytes = host.getAddress();
        Memory.plainByte(target + PORT, (byte) (address.getPort() >> 8));
        Memory.plainByte(target + PORT + 1, (byte) address.getPort());
        if (host instanceof Inet6Address six) {
            Memory.plainShort(target + FAMILY, (short) Libc.AF_INET6);
            Memory.plainInt(target + 4, 0); // flow label
            Memory.copy(bytes, 0, target + V6_ADDRESS, bytes.length);
            Memory.plainInt(target + V6_SCOPE, six.getScopeId());
            return V6_SIZE;
        }
        Memory.plainShort(target + FAMILY, (short) Libc.AF_INET);
        Memory.copy(bytes, 0, target + V4_ADDRESS, bytes.length);
        Memory.plainLong(target + 8, 0); // padding that some calls want zeroed
        return V4_SIZE;
    }

    /** Reads what the kernel wrote. */
    public static InetSocketAddress decode(long source) {
        int port = ((Memory.plainByte(source + PORT) & 0xff) << 8) | (Memory.plainByte(source + PORT + 1) & 0xff);
        try {
            if (Memory.plainShort(source + FAMILY) == Libc.AF_INET6) {
                byte[] bytes = new byte[16];
                Memory.copy(source + V6_ADDRESS, bytes, 0, bytes.length);
                int scope = Memory.plainInt(source + V6_SCOPE);
                InetAddress host =
                        scope == 0 ? InetAddress.getByAddress(bytes) : Inet6Address.getByAddress(null, bytes, scope);
                return new InetSocketAddress(host, port);
            }
            byte[] bytes = new byte[4];
            Memory.copy(source + V4_ADDRESS, bytes, 0, bytes.length);
            return new InetSocketAddress(Inet4Address.getByAddress(bytes), port);
        } catch (UnknownHostException e) {
            throw new AssertionError("a raw address of 4 or 16 bytes is always legal", e);
        }
    }

    /** {@code 127.0.0.1:7000} or {@code [::1]:7000}, as people write it. */
    public static String text(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        if (host == null) {
            return address.getHostString() + ":" + address.getPort();
        }
        String literal = host.getHostAddress();
        return (host instanceof Inet6Address ? "[" + literal + "]" : literal) + ":" + address.getPort();
    }
}
