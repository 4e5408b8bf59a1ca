package io.skein.net;

import java.util.Objects;

/**
 * A host and a port, as people write them: {@code example.org:80}, {@code 192.0.2.1:80}, {@code [2001:db8::1]:80}. Immutable.
 *
 * @param host a name or an address; IPv6 without brackets
 * @param port from 0 to 65535
 */
public record HostPort(String host, int port) {
    private static final int LAST_PORT = 65535;

    /**
     * @throws IllegalArgumentException if the host is empty or there is no such port
     */
    public HostPort {
        Objects.requireNonNull(host, "host");
        if (host.isBlank()) {
            throw new IllegalArgumentException("a host and a port: the host is empty");
        }
        if (port < 0 || port > LAST_PORT) {
            throw new IllegalArgumentException(host + ": port " + port + " is not from 0 to " + LAST_PORT);
        }
    }

    /**
     * Reads {@code host:port}. An IPv6 address stands in brackets, since nobody could tell its last part from a port.
     *
     * @throws IllegalArgumentException if it is not of that form, saying why
     */
    public static HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        if (text.startsWith("[")) {
            int bracket = text.indexOf(']');
            if (bracket < 0) {
                throw refused(text, "the bracket is not closed");
            }
            if (colon != bracket + 1) {
                throw refused(text, "a colon and a port must follow the bracket");
            }
            String address = text.substring(1, bracket);
            if (address.indexOf(':') < 0) {
                throw refused(text, "only an IPv6 address stands in brackets");
            }
            return new HostPort(address, port(text, colon));
        }
        if (colon < 0) {
            throw refused(text, "there is no port");
        }
        if (text.indexOf(':') != colon) {
            throw refused(text, "an IPv6 address must stand in brackets, as in [::1]:80");
        }
        if (colon == 0) {
            throw refused(text, "there is no host");
        }
        return new HostPort(text.substring(0, colon), port(text, colon));
    }

    private static int port(String text, int colon) {
        String digits = text.substring(colon + 1);
        boolean plain = !digits.isEmpty()
                && digits.length() <= 5
                && digits.chars().allMatch(digit -> digit >= '0' && digit <= '9');
        int port = plain ? Integer.parseInt(digits) : -1;
        if (port < 0 || port > LAST_PORT) {
            throw refused(text, "the port must be a number from 0 to " + LAST_PORT);
        }
        return port;
    }

    private static IllegalArgumentException refused(String text, String why) {
        return new IllegalArgumentException("'" + text + "' is not host:port: " + why);
    }

    /** As it is written: what {@link #parse} reads. */
    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
