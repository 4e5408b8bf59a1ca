package io.skein.internal.io.uring;

import io.skein.internal.linux.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;

/** How a socket enters and leaves a multicast group. Any thread may call it. */
enum Membership {
    JOIN(35, 20),
    LEAVE(36, 21);

    /** {@code struct ip_mreqn}: group, address, interface; {@code struct ipv6_mreq}: group, interface. */
    private static final int V4_SIZE = 12;

    private static final int V4_INTERFACE = 8;
    private static final int V6_SIZE = 20;
    private static final int V6_INTERFACE = 16;

    private final int v4Option;
    private final int v6Option;

    Membership(int v4Option, int v6Option) {
        this.v4Option = v4Option;
        this.v6Option = v6Option;
    }

    /** Returns 0, or a negated error number. */
    int make(int fd, InetAddress group, int interfaceIndex) {
        boolean six = group instanceof Inet6Address;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = arena.allocate(six ? V6_SIZE : V4_SIZE, Integer.BYTES);
            request.copyFrom(MemorySegment.ofArray(group.getAddress()));
            request.set(ValueLayout.JAVA_INT, six ? V6_INTERFACE : V4_INTERFACE, interfaceIndex);
            return six
                    ? Libc.setOption(fd, Libc.IPPROTO_IPV6, v6Option, request)
                    : Libc.setOption(fd, Libc.IPPROTO_IP, v4Option, request);
        }
    }
}
