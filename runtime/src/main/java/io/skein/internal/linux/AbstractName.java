package io.skein.internal.linux;

import java.net.SocketAddress;
import java.util.Objects;

/** The name of a Unix socket that is no file: it is gone with the last socket that has it. Linux only. Immutable. */
public final class AbstractName extends SocketAddress {
    private static final long serialVersionUID = 1;

    private final String name;

    public AbstractName(String name) {
        this.name = Objects.requireNonNull(name, "name");
    }

    public String name() {
        return name;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AbstractName that && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    /** As the tools of Linux write it, {@code @name}; control characters as escapes, for a peer chooses its own name. */
    @Override
    public String toString() {
        return "@" + Names.printable(name);
    }
}
