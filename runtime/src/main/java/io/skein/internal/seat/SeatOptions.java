package io.skein.internal.seat;

import io.skein.internal.io.ExtraOption;
import io.skein.net.SocketOptions;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * The options of a socket that is not there yet: what was set is kept until it is. Also the numbers by which {@code java.net}
 * calls options since its first days. Any thread may call it.
 */
final class SeatOptions {
    private static final Map<Integer, SocketOption<?>> NUMBERED = Map.of(
            java.net.SocketOptions.TCP_NODELAY, StandardSocketOptions.TCP_NODELAY,
            java.net.SocketOptions.SO_REUSEADDR, StandardSocketOptions.SO_REUSEADDR,
            java.net.SocketOptions.SO_REUSEPORT, StandardSocketOptions.SO_REUSEPORT,
            java.net.SocketOptions.IP_TOS, StandardSocketOptions.IP_TOS,
            java.net.SocketOptions.SO_LINGER, StandardSocketOptions.SO_LINGER,
            java.net.SocketOptions.SO_SNDBUF, StandardSocketOptions.SO_SNDBUF,
            java.net.SocketOptions.SO_RCVBUF, StandardSocketOptions.SO_RCVBUF,
            java.net.SocketOptions.SO_KEEPALIVE, StandardSocketOptions.SO_KEEPALIVE,
            java.net.SocketOptions.SO_OOBINLINE, SocketOptions.SO_OOBINLINE);

    private static final List<SocketOption<?>> OF_BOTH = List.of(
            SocketOptions.TCP_KEEPIDLE,
            SocketOptions.TCP_KEEPINTVL,
            SocketOptions.TCP_KEEPCNT,
            SocketOptions.TCP_QUICKACK,
            StandardSocketOptions.IP_TOS,
            StandardSocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_REUSEADDR,
            StandardSocketOptions.SO_REUSEPORT);

    private static final Set<SocketOption<?>> OF_LISTENERS = ExtraOption.withThoseOfTheJdk(OF_BOTH);
    private static final Set<SocketOption<?>> OF_STREAMS = ExtraOption.withThoseOfTheJdk(
            Stream.concat(OF_BOTH.stream(), NUMBERED.values().stream()).toList());

    private final Set<SocketOption<?>> supported;
    private final Map<SocketOption<?>, Object> wanted = new LinkedHashMap<>();

    private SeatOptions(Set<SocketOption<?>> supported) {
        this.supported = supported;
    }

    static SeatOptions ofStream() {
        return new SeatOptions(OF_STREAMS);
    }

    static SeatOptions ofListener() {
        return new SeatOptions(OF_LISTENERS);
    }

    /**
     * The option that a number stands for.
     *
     * @throws SocketException if there is no such option
     */
    static SocketOption<?> numbered(int number) throws SocketException {
        SocketOption<?> option = NUMBERED.get(number);
        if (option == null) {
            throw new SocketException("this socket has no option 0x" + Integer.toHexString(number));
        }
        return option;
    }

    /** What a caller of old days says in place of a value: false for no linger. */
    static Object modern(SocketOption<?> option, Object value) {
        Integer none = -1;
        return option.equals(StandardSocketOptions.SO_LINGER) && value instanceof Boolean ? none : value;
    }

    Set<SocketOption<?>> supported() {
        return new LinkedHashSet<>(supported);
    }

    synchronized void want(SocketOption<?> option, Object value) {
        check(option);
        if (!option.type().isInstance(value)) {
            throw new IllegalArgumentException(
                    option + ": " + value + "; it must be of " + option.type().getSimpleName());
        }
        wanted.put(ExtraOption.ours(option), value);
    }

    /** What was set; or what a fresh socket would have. */
    synchronized Object get(SocketOption<?> option) throws IOException {
        check(option);
        SocketOption<?> ours = ExtraOption.ours(option);
        Object value = wanted.get(ours);
        if (value != null) {
            return value;
        }
        if (option.equals(StandardSocketOptions.TCP_NODELAY)) {
            return true; // unlike the JDK's
        }
        try (SocketChannel fresh = SocketChannel.open()) {
            for (SocketOption<?> each : fresh.supportedOptions()) {
                if (ExtraOption.ours(each).equals(ours)) {
                    return fresh.getOption(each);
                }
            }
        }
        throw new SocketException(option + ": not known before the socket is connected or bound");
    }

    private void check(SocketOption<?> option) {
        if (!supported.contains(ExtraOption.ours(option))) {
            throw new UnsupportedOperationException("this socket has no option " + option.name());
        }
    }

    /** Hands over what was set. */
    synchronized void forEach(BiConsumer<SocketOption<?>, Object> setter) {
        wanted.forEach(setter);
    }
}
