package io.skein.internal.io.nio;

import io.skein.internal.linux.Errno;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/** Gives the JDK's failures the text that Skein's have: the operation, the address, what happened. */
final class NioFailures {
    private NioFailures() {}

    /**
     * The exception for an operation that ended with a negative result.
     *
     * @param failure what the channel threw, or null when the operation was cancelled
     */
    static IOException exception(String operation, Object subject, @Nullable IOException failure) {
        if (failure == null) {
            return Errno.exception(operation, subject, Errno.ECANCELED.number());
        }
        String said = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        String message = operation + " " + subject + ": " + Character.toLowerCase(said.charAt(0)) + said.substring(1);
        IOException exception = switch (failure) {
            case ConnectException e -> new ConnectException(message);
            case BindException e -> new BindException(message);
            case NoRouteToHostException e -> new NoRouteToHostException(message);
            default -> new SocketException(message);
        };
        exception.initCause(failure);
        return exception;
    }
}
