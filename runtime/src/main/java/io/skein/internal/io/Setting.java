package io.skein.internal.io;

import java.net.SocketOption;
import java.util.Objects;

/** A socket option and what it is to be. Immutable, if the value is. */
public record Setting<T>(SocketOption<T> option, T value) {
    /** Checks that the value is there and of the option's type. */
    public Setting {
        Objects.requireNonNull(option, "option");
        if (!option.type().isInstance(value)) {
            throw new IllegalArgumentException(
                    option + ": " + value + "; it must be of " + option.type().getSimpleName());
        }
    }
}
