package io.skein.bench.load;

/** What goes over the connections, who makes it, and what is counted of it. */
public enum Traffic {
    /** A request and its echo, over and over. */
    PING_PONG(Tool.RING, "req", 1),

    /** The server sends as fast as it can, and the client throws away what arrives. */
    STREAM(Tool.RING, "GiB", 1 << 30),

    /** Connect, one request and its echo, close. */
    CHURN(Tool.RING, "conn", 1),

    /** As {@link #PING_PONG}, with a datagram each way. */
    DATAGRAMS(Tool.RING, "packet", 1),

    /** As {@link #PING_PONG}, encrypted. */
    TLS(Tool.SSL_SOCKETS, "req", 1),

    /** A request over HTTP and its answer, over and over, by a program for that. */
    HTTP(Tool.WRK, "req", 1),

    /** As {@link #HTTP}, of the JDK's {@code HttpServer}. */
    HTTP_SERVER(Tool.WRK, "req", 1),

    /** As {@link #HTTP}, of Helidon. */
    HELIDON(Tool.WRK, "req", 1),

    /** As {@link #HTTP}, of Jetty. */
    JETTY(Tool.WRK, "req", 1),

    /** As {@link #HTTP}, of Tomcat. */
    TOMCAT(Tool.WRK, "req", 1),

    /** As {@link #HTTP}, of Spring Boot. */
    SPRING_BOOT(Tool.WRK, "req", 1),

    /** A call over gRPC and its answer, over and over, by a program for HTTP/2. */
    GRPC(Tool.H2LOAD, "call", 1),

    /** A value set in Redis by Jedis, and got: the measured program is the client. */
    JEDIS(Tool.REDIS, "set+get", 1),

    /** Queries of PostgreSQL through a pool of HikariCP: the measured program is the client. */
    HIKARI(Tool.POSTGRES, "query", 1);

    private final Tool tool;
    private final String operation;
    private final long counted;

    /** What is at the other end of the connections. */
    public enum Tool {
        /** The load generator's own ring. */
        RING,

        /** The JDK's TLS in the load generator. */
        SSL_SOCKETS,

        /** {@code wrk}. */
        WRK,

        /** {@code h2load}. */
        H2LOAD,

        /** A server of Redis, which a client program is told to use. */
        REDIS,

        /** A server of PostgreSQL, which a client program is told to use. */
        POSTGRES
    }

    Traffic(Tool tool, String operation, long counted) {
        this.tool = tool;
        this.operation = operation;
        this.counted = counted;
    }

    /** Who makes it. */
    public Tool tool() {
        return tool;
    }

    /** What costs are the costs of, for people. */
    public String operation() {
        return operation;
    }

    /** Whether the measured program is of somebody's library. */
    public boolean isOfLibrary() {
        return compareTo(HTTP) > 0;
    }

    /** Whether {@code wrk} makes it. */
    public boolean isWeb() {
        return tool == Tool.WRK;
    }

    /** Whether it is measured in whole seconds, because the program that makes it counts so. */
    public boolean inWholeSeconds() {
        return tool == Tool.WRK || tool == Tool.H2LOAD;
    }

    /** How many of what the load generator counts are one operation. */
    public long counted() {
        return counted;
    }
}
