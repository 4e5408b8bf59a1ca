package io.skein.bench.load;

/** What goes over the connections, and what is counted of it. */
public enum Traffic {
    /** A request and its echo, over and over. */
    PING_PONG("req", 1),

    /** The server sends as fast as it can, and the client throws away what arrives. */
    STREAM("GiB", 1 << 30),

    /** Connect, one request and its echo, close. */
    CHURN("conn", 1),

    /** As {@link #PING_PONG}, with a datagram each way. */
    DATAGRAMS("packet", 1),

    /** As {@link #PING_PONG}, encrypted. */
    TLS("req", 1),

    /** A request over HTTP and its answer, over and over, by a program for that. */
    HTTP("req", 1),

    /** As {@link #HTTP}, of the JDK's {@code HttpServer}. */
    HTTP_SERVER("req", 1),

    /** As {@link #HTTP}, of Helidon. */
    HELIDON("req", 1),

    /** As {@link #HTTP}, of Jetty. */
    JETTY("req", 1),

    /** As {@link #HTTP}, of Tomcat. */
    TOMCAT("req", 1);

    private final String operation;
    private final long counted;

    Traffic(String operation, long counted) {
        this.operation = operation;
        this.counted = counted;
    }

    /** What costs are the costs of, for people. */
    public String operation() {
        return operation;
    }

    /** Whether the server is a program of somebody's library. */
    public boolean isOfLibrary() {
        return compareTo(HTTP) > 0;
    }

    /** Whether {@code wrk} makes it. */
    public boolean isWeb() {
        return compareTo(HTTP) >= 0;
    }

    /** How many of what the load generator counts are one operation. */
    public long counted() {
        return counted;
    }
}
