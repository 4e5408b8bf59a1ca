package io.skein.internal.io.nio;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;

/** Gives the JDK's failures the text that Skein's have: the operation, the address, what happened. */
final class NioFailures {
    private NioFailures() {}

    /**
     * The exception for a failed operation.
     *
     * @param failure what the channel threw
     */
    static IOException exception(String operation, Object subject, IOException failure) {
        String message = operation + " " + subject + ": " + text(failure);
        IOException exception = switch (failure) {
            case ConnectException e -> new ConnectException(message);
            case BindException e -> new BindException(message);
            case NoRouteToHostException e -> new NoRouteToHostException(message);
            case PortUnreachableException e -> new PortUnreachableException(message);
            case SocketException e -> new SocketException(message);
            default -> operation.equals("accept") ? new IOException(message) : new SocketException(message);
        };
        exception.initCause(failure);
        return exception;
    }

    private static String text(IOException failure) {
        String said = failure.getMessage();
        if (said == null || said.isEmpty()) {
            return failure instanceof ClosedChannelException
                    ? "closed"
                    : failure.getClass().getSimpleName();
        }
        return Character.toLowerCase(said.charAt(0)) + said.substring(1);
    }
}
