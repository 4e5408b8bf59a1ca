package io.skein.internal.io;

import java.net.SocketOption;

/** Socket options that {@link java.net.StandardSocketOptions} has not. Immutable. */
public record ExtraOption<T>(String name, Class<T> type) implements SocketOption<T> {
    public static final SocketOption<Integer> TCP_USER_TIMEOUT = new ExtraOption<>("TCP_USER_TIMEOUT", Integer.class);
    public static final SocketOption<Integer> TCP_KEEPIDLE = new ExtraOption<>("TCP_KEEPIDLE", Integer.class);
    public static final SocketOption<Integer> TCP_KEEPINTVL = new ExtraOption<>("TCP_KEEPINTVL", Integer.class);
    public static final SocketOption<Integer> TCP_KEEPCNT = new ExtraOption<>("TCP_KEEPCNT", Integer.class);

    @Override
    public String toString() {
        return name;
    }
}
