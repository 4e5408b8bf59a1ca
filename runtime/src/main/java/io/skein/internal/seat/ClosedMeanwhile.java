package io.skein.internal.seat;

import java.io.IOException;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/** Told to whoever waits for something of a socket that another thread closes. */
final class ClosedMeanwhile extends SocketException {
    private static final long serialVersionUID = 1;

    ClosedMeanwhile(String operation, @Nullable IOException cause) {
        super(operation + ": closed by another thread");
        if (cause != null) {
            initCause(cause);
        }
    }
}
