package io.skein.net;

import io.skein.internal.io.ExtraOption;
import java.net.SocketOption;

/**
 * Socket options beside those of {@link java.net.StandardSocketOptions}. A socket's {@code supportedOptions} says whether it has
 * them: {@link #TCP_USER_TIMEOUT} on io_uring, and with nio on Linux where {@code java.lang} is open to Skein; the
 * others on both drivers. Where {@code jdk.net} has the same option, that may be used as well.
 */
public final class SocketOptions {
    /** After how many seconds of silence a connection with {@code SO_KEEPALIVE} asks whether its peer is still there. */
    public static final SocketOption<Integer> TCP_KEEPIDLE = ExtraOption.TCP_KEEPIDLE;

    /** How many seconds pass between two such questions. */
    public static final SocketOption<Integer> TCP_KEEPINTVL = ExtraOption.TCP_KEEPINTVL;

    /** After how many questions without an answer the connection is given up. */
    public static final SocketOption<Integer> TCP_KEEPCNT = ExtraOption.TCP_KEEPCNT;

    /** After how many milliseconds in which the peer has not acknowledged what was sent the connection is given up. */
    public static final SocketOption<Integer> TCP_USER_TIMEOUT = ExtraOption.TCP_USER_TIMEOUT;

    /**
     * Whether what arrives is acknowledged at once, without a delay. The kernel may take it back, so it is set again
     * and again.
     */
    public static final SocketOption<Boolean> TCP_QUICKACK = ExtraOption.TCP_QUICKACK;

    /** Whether urgent data is received among the other bytes. By default it is not received. */
    public static final SocketOption<Boolean> SO_OOBINLINE = ExtraOption.SO_OOBINLINE;

    private SocketOptions() {}
}
