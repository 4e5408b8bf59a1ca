package io.skein.internal.linux;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * {@code struct sockaddr_in}, {@code sockaddr_in6} and {@code sockaddr_un}: how the kernel writes an address.
 *
 * <p>Any thread may call it. Port and address are in network byte order, the family in the machine's.
 */
public final class SocketAddresses {
    /** Room for every form, rounded up. */
    public static final int SIZE = 112;

    private static final int FAMILY = 0;
    private static final int PORT = 2;
    private static final int V4_ADDRESS = 4;
    private static final int V4_SIZE = 16;
    private static final int V6_ADDRESS = 8;
    private static final int V6_SCOPE = 24;
    private static final int V6_SIZE = 28;
    private static final int UNIX_PATH = 2;

    /** What the name of a Unix socket may take, a zero at a path's end included. */
    private static final int UNIX_PATH_SIZE = 108;

    private SocketAddresses() {}

    public static int family(SocketAddress address) {
        if (address instanceof InetSocketAddress internet) {
            return internet.getAddress() instanceof Inet6Address ? Libc.AF_INET6 : Libc.AF_INET;
        }
        return Libc.AF_UNIX;
    }

    /**
     * Writes an address, resolved if it is one of the Internet; returns the bytes it takes.
     *
     * @throws IllegalArgumentException if it is the name of a Unix socket and too long for the kernel
     */
    public static int encode(SocketAddress address, long target) {
        return switch (address) {
            case InetSocketAddress internet -> encodeInternet(internet, target);
            case UnixDomainSocketAddress unix -> {
                byte[] path = FileNames.bytes(unix.getPath());
                yield path.length == 0 ? encodeUnix(path, 0, target) : encodeUnix(path, path.length + 1, target);
            }
            case AbstractName name -> {
                byte[] bytes = name.name().getBytes(StandardCharsets.UTF_8);
                byte[] marked = new byte[bytes.length + 1];
                System.arraycopy(bytes, 0, marked, 1, bytes.length);
                yield encodeUnix(marked, marked.length, target);
            }
            default -> throw new IllegalArgumentException("no address that Skein knows: " + address);
        };
    }

    private static int encodeInternet(InetSocketAddress address, long target) {
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

    /** As {@link #encode}, in the form of IPv6 whichever it is of. */
    public static int encodeForIpv6(InetSocketAddress address, long target) {
        if (address.getAddress() instanceof Inet6Address) {
            return encodeInternet(address, target);
        }
        byte[] four = address.getAddress().getAddress();
        encodeInternet(address, target); // the port
        Memory.plainShort(target + FAMILY, (short) Libc.AF_INET6);
        Memory.plainInt(target + 4, 0);
        Memory.plainLong(target + V6_ADDRESS, 0);
        Memory.plainLong(target + V6_ADDRESS + 8, 0);
        if (!address.getAddress().isAnyLocalAddress()) {
            Memory.plainShort(target + V6_ADDRESS + 10, (short) -1);
            Memory.copy(four, 0, target + V6_ADDRESS + 12, four.length);
        }
        Memory.plainInt(target + V6_SCOPE, 0);
        return V6_SIZE;
    }

    private static int encodeUnix(byte[] name, int length, long target) {
        if (length > UNIX_PATH_SIZE) {
            String text = new String(name, StandardCharsets.UTF_8);
            throw new IllegalArgumentException("the name of a Unix socket is too long: "
                    + (text.startsWith("\0") ? new AbstractName(text.substring(1)) : Names.printable(text)));
        }
        Memory.plainShort(target + FAMILY, (short) Libc.AF_UNIX);
        Memory.copy(name, 0, target + UNIX_PATH, name.length);
        if (length > name.length) {
            Memory.plainByte(target + UNIX_PATH + name.length, (byte) 0);
        }
        return UNIX_PATH + length;
    }

    /**
     * Reads what the kernel wrote. Whatever name a Unix socket has, it has an address: a {@link UnixDomainSocketAddress}, an
     * {@link AbstractName}, or a {@link RawPath}.
     *
     * @param length how many bytes it said that the address has
     */
    public static SocketAddress decode(long source, int length) {
        return Memory.plainShort(source + FAMILY) == Libc.AF_UNIX ? decodeUnix(source, length) : decode(source);
    }

    private static SocketAddress decodeUnix(long source, int length) {
        byte[] name = new byte[Math.max(0, length - UNIX_PATH)];
        Memory.copy(source + UNIX_PATH, name, 0, name.length);
        if (name.length > 0 && name[0] == 0) {
            return new AbstractName(new String(name, 1, name.length - 1, StandardCharsets.UTF_8));
        }
        int end = 0;
        while (end < name.length && name[end] != 0) {
            end++;
        }
        byte[] bytes = Arrays.copyOf(name, end);
        Path path = FileNames.path(bytes);
        return path == null ? new RawPath(bytes) : UnixDomainSocketAddress.of(path);
    }

    /** Reads an address of the Internet that the kernel wrote. */
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
            return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
        } catch (UnknownHostException e) {
            throw new AssertionError("a raw address of 4 or 16 bytes is always legal", e);
        }
    }

    /** The address of a socket. */
    public static SocketAddress local(int fd) {
        long buffer = Libc.allocate(SIZE);
        try {
            return decode(buffer, Libc.localName(fd, Memory.range(buffer, SIZE)));
        } finally {
            Libc.free(buffer);
        }
    }

    /** The address of a socket's peer, or null when the connection is gone. */
    public static @Nullable SocketAddress peer(int fd) {
        long buffer = Libc.allocate(SIZE);
        try {
            int length = Libc.peerName(fd, Memory.range(buffer, SIZE));
            return length < 0 ? null : decode(buffer, length);
        } finally {
            Libc.free(buffer);
        }
    }

    /**
     * {@code 127.0.0.1:7000}, {@code [::1]:7000} or a Unix socket's name, as people write it. Control characters in a name are escaped:
     * the text goes into logs and names of threads.
     */
    public static String text(SocketAddress address) {
        if (!(address instanceof InetSocketAddress internet)) {
            if (!(address instanceof UnixDomainSocketAddress unix)) {
                return address.toString(); // which is printable
            }
            String name = unix.getPath().toString();
            return name.isEmpty() ? "(unnamed)" : Names.printable(name);
        }
        InetAddress host = internet.getAddress();
        if (host == null) {
            return internet.getHostString() + ":" + internet.getPort();
        }
        String literal = host.getHostAddress();
        return (host instanceof Inet6Address ? "[" + literal + "]" : literal) + ":" + internet.getPort();
    }
}
