package io.skein.internal.linux;

import java.io.Serial;
import java.net.SocketAddress;
import java.util.Arrays;

/**
 * The name of a Unix socket that is a file, but whose bytes are no text in the encoding of the JDK's file names, so that no
 * {@link java.net.UnixDomainSocketAddress} can be had for it. A peer chooses its own name. Immutable.
 */
public final class RawPath extends SocketAddress {
    @Serial
    private static final long serialVersionUID = 1;

    private final byte[] name;

    RawPath(byte[] name) {
        this.name = name;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RawPath that && Arrays.equals(name, that.name);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(name);
    }

    /** What is ASCII as it is, each other byte and what would change a terminal as {@code \xNN}. */
    @Override
    public String toString() {
        return Names.printable(name);
    }
}
