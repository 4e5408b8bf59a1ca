package io.skein.internal.io.uring;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.skein.internal.io.ExtraOption;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The socket options of Java, and how the kernel knows them. Any thread may call it.
 *
 * <p>An option is found by its name: so those of {@code jdk.net.ExtendedSocketOptions} are known too.
 */
enum KernelOption {
    SO_REUSEADDR(StandardSocketOptions.SO_REUSEADDR, Libc.SOL_SOCKET, 2, Form.FLAG),
    SO_BROADCAST(StandardSocketOptions.SO_BROADCAST, Libc.SOL_SOCKET, 6, Form.FLAG),
    SO_SNDBUF(StandardSocketOptions.SO_SNDBUF, Libc.SOL_SOCKET, 7, Form.DOUBLED),
    SO_RCVBUF(StandardSocketOptions.SO_RCVBUF, Libc.SOL_SOCKET, 8, Form.DOUBLED),
    SO_KEEPALIVE(StandardSocketOptions.SO_KEEPALIVE, Libc.SOL_SOCKET, 9, Form.FLAG),
    SO_OOBINLINE(ExtraOption.SO_OOBINLINE, Libc.SOL_SOCKET, 10, Form.FLAG),
    SO_LINGER(StandardSocketOptions.SO_LINGER, Libc.SOL_SOCKET, 13, Form.LINGER),
    SO_REUSEPORT(StandardSocketOptions.SO_REUSEPORT, Libc.SOL_SOCKET, 15, Form.FLAG),
    TCP_NODELAY(StandardSocketOptions.TCP_NODELAY, Libc.IPPROTO_TCP, 1, Form.FLAG),
    TCP_KEEPIDLE(ExtraOption.TCP_KEEPIDLE, Libc.IPPROTO_TCP, 4, Form.NUMBER),
    TCP_KEEPINTVL(ExtraOption.TCP_KEEPINTVL, Libc.IPPROTO_TCP, 5, Form.NUMBER),
    TCP_KEEPCNT(ExtraOption.TCP_KEEPCNT, Libc.IPPROTO_TCP, 6, Form.NUMBER),
    TCP_QUICKACK(ExtraOption.TCP_QUICKACK, Libc.IPPROTO_TCP, 12, Form.FLAG),
    TCP_USER_TIMEOUT(ExtraOption.TCP_USER_TIMEOUT, Libc.IPPROTO_TCP, Libc.TCP_USER_TIMEOUT, Form.NUMBER),
    IP_TOS(StandardSocketOptions.IP_TOS, Libc.IPPROTO_IP, 1, Form.BYTE),
    IP_MULTICAST_IF(StandardSocketOptions.IP_MULTICAST_IF, Libc.IPPROTO_IP, 32, Form.INTERFACE),
    IP_MULTICAST_TTL(StandardSocketOptions.IP_MULTICAST_TTL, Libc.IPPROTO_IP, 33, Form.NUMBER),
    IP_MULTICAST_LOOP(StandardSocketOptions.IP_MULTICAST_LOOP, Libc.IPPROTO_IP, 34, Form.FLAG);

    /** How a value is written. */
    private enum Form {
        FLAG,
        NUMBER,
        BYTE,
        /** The kernel takes a size and doubles it for its own needs; what it tells is halved. */
        DOUBLED,
        LINGER,
        INTERFACE
    }

    private static final Set<KernelOption> OF_STREAMS_ALONE = Set.of(SO_LINGER, SO_KEEPALIVE, SO_OOBINLINE);

    static final Set<SocketOption<?>> OF_TCP =
            those(option -> option == IP_TOS || (option.level != Libc.IPPROTO_IP && option != SO_BROADCAST));
    static final Set<SocketOption<?>> OF_UDP =
            those(option -> option.level != Libc.IPPROTO_TCP && !OF_STREAMS_ALONE.contains(option));
    static final Set<SocketOption<?>> OF_UNIX =
            those(option -> option == SO_SNDBUF || option == SO_RCVBUF || option == SO_LINGER);

    @SuppressWarnings("ImmutableEnumChecker") // options are constants
    private final SocketOption<?> option;

    private final int level;
    private final int number;
    private final Form form;

    KernelOption(SocketOption<?> option, int level, int number, Form form) {
        this.option = option;
        this.level = level;
        this.number = number;
        this.form = form;
    }

    private static Set<SocketOption<?>> those(Predicate<KernelOption> wanted) {
        Set<SocketOption<?>> options = new LinkedHashSet<>();
        for (KernelOption each : values()) {
            if (wanted.test(each)) {
                options.add(each.option);
            }
        }
        return ExtraOption.withThoseOfTheJdk(options);
    }

    /** The options of a stream socket with that address. */
    static Set<SocketOption<?>> of(SocketAddress address) {
        return address instanceof InetSocketAddress ? OF_TCP : OF_UNIX;
    }

    /**
     * The option of that name, if it is among the supported.
     *
     * @throws UnsupportedOperationException if it is not
     */
    private static KernelOption find(SocketOption<?> wanted, Set<SocketOption<?>> supported) {
        String name = ExtraOption.ours(wanted).name();
        for (KernelOption each : values()) {
            if (each.name().equals(name) && supported.contains(each.option)) {
                return each;
            }
        }
        throw new UnsupportedOperationException("this socket has no option " + wanted.name());
    }

    static void set(int fd, boolean ipv6, Set<SocketOption<?>> supported, SocketOption<?> wanted, Object value)
            throws IOException {
        KernelOption known = find(wanted, supported);
        int result = known.write(fd, ipv6, value);
        if (result < 0) {
            throw refused("set " + known.name() + " to " + value, result);
        }
    }

    @SuppressWarnings("NullAway") // only an interface for multicast that was never set is null
    static <T> T get(int fd, boolean ipv6, Set<SocketOption<?>> supported, SocketOption<T> wanted) throws IOException {
        KernelOption known = find(wanted, supported);
        @Nullable Object value = known.read(fd, ipv6);
        return wanted.type().cast(value);
    }

    private static SocketException refused(String what, int result) {
        return new SocketException(what + ": " + Errno.describe(-result));
    }

    private int write(int fd, boolean ipv6, Object value) throws IOException {
        return switch (form) {
            case FLAG -> writeInt(fd, ipv6, (Boolean) value ? 1 : 0);
            case NUMBER -> writeInt(fd, ipv6, atLeastZero((Integer) value));
            case BYTE -> writeByte(fd, ipv6, (Integer) value);
            case DOUBLED -> writeInt(fd, ipv6, atLeastZero((Integer) value));
            case INTERFACE -> {
                int index = ((NetworkInterface) value).getIndex();
                yield ipv6 ? writeInt(fd, true, index) : writeInts(fd, 0, 0, index); // struct ip_mreqn
            }
            case LINGER -> {
                int seconds = (Integer) value;
                yield writeInts(fd, seconds < 0 ? 0 : 1, Math.clamp(seconds, 0, 0xffff));
            }
        };
    }

    /** Takes a time to linger back; a linger of zero, which resets the connection, stays. */
    void lingerNoMore(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pair = arena.allocate(JAVA_INT, 2);
            if (Libc.getOption(fd, level, number, pair) == 0 && pair.getAtIndex(JAVA_INT, 1) > 0) {
                writeInts(fd, 0, 0);
            }
        }
    }

    private int atLeastZero(int value) {
        if (value < 0) {
            throw new IllegalArgumentException(name() + ": " + value + "; it must not be negative");
        }
        return value;
    }

    /** A socket of IPv6 may have peers of IPv4 too; both hear of it. */
    private int writeByte(int fd, boolean ipv6, int value) {
        if (value < 0 || value > 0xff) {
            throw new IllegalArgumentException(name() + ": " + value + "; it must be from 0 to 255");
        }
        if (ipv6) {
            int _ = writeInt(fd, false, value);
        }
        return writeInt(fd, ipv6, value);
    }

    private int writeInt(int fd, boolean ipv6, int value) {
        return Libc.setIntOption(fd, levelFor(ipv6), numberFor(ipv6), value);
    }

    private int writeInts(int fd, int... values) {
        try (Arena arena = Arena.ofConfined()) {
            return Libc.setOption(fd, level, number, arena.allocateFrom(JAVA_INT, values));
        }
    }

    private @Nullable Object read(int fd, boolean ipv6) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ints = arena.allocate(JAVA_INT, form == Form.LINGER ? 2 : form == Form.INTERFACE ? 3 : 1);
            int result = Libc.getOption(fd, levelFor(ipv6), numberFor(ipv6), ints);
            if (result < 0) {
                throw refused("get " + name(), result);
            }
            int first = ints.get(JAVA_INT, 0);
            return switch (form) {
                case FLAG -> first != 0;
                case NUMBER, BYTE -> first;
                case DOUBLED -> first / 2;
                case LINGER -> first == 0 ? -1 : ints.getAtIndex(JAVA_INT, 1);
                case INTERFACE -> {
                    int index = ipv6 ? first : ints.getAtIndex(JAVA_INT, 2);
                    yield index == 0 ? null : NetworkInterface.getByIndex(index);
                }
            };
        }
    }

    private int levelFor(boolean ipv6) {
        return ipv6 && level == Libc.IPPROTO_IP ? Libc.IPPROTO_IPV6 : level;
    }

    private int numberFor(boolean ipv6) {
        return !ipv6
                ? number
                : switch (this) {
                    case IP_TOS -> 67;
                    case IP_MULTICAST_IF -> 17;
                    case IP_MULTICAST_TTL -> 18;
                    case IP_MULTICAST_LOOP -> 19;
                    default -> number;
                };
    }
}
