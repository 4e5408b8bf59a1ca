package io.skein.bench.server;

import java.util.List;

/** What a server does. */
public enum Service {
    /** Sends back what a connection sends. */
    ECHO,

    /** Sends full buffers to whoever connects, as fast as they are taken. */
    SOURCE,

    /** Sends back each datagram. */
    DATAGRAMS,

    /** Sends back what an encrypted connection sends. */
    TLS_ECHO,

    /** Answers each request for {@code /hello} over HTTP/1.1 with {@link #HELLO}, and keeps the connection. */
    HTTP,

    /** As {@link #HTTP}, by the JDK's {@code HttpServer}. */
    HTTP_SERVER,

    /** As {@link #HTTP}, by Helidon. */
    HELIDON,

    /** As {@link #HTTP}, by Jetty. */
    JETTY,

    /** As {@link #HTTP}, by Tomcat. */
    TOMCAT,

    /** As {@link #HTTP}, by Spring Boot. */
    SPRING_BOOT,

    /** Answers each call over gRPC with {@link #HELLO}. */
    GRPC,

    /** Asks Redis, by Jedis, when the load generator says so. */
    JEDIS,

    /** Asks PostgreSQL, by its driver and HikariCP, when the load generator says so. */
    HIKARI;

    /** The whole site. */
    public static final String HELLO = "hello\n";

    /** What the JVM of its server gets, whoever's threads it runs on. */
    public List<String> jvmFlags() {
        // The Netty inside gRPC does without Unsafe unless it is allowed, as every Netty.
        return this == GRPC ? List.of("--sun-misc-unsafe-memory-access=allow") : List.of();
    }

    /** Whether the program is a library's, and the same for Skein and the JDK but for the threads that it runs on. */
    public boolean isOfLibrary() {
        return switch (this) {
            case HTTP_SERVER, HELIDON, JETTY, TOMCAT, SPRING_BOOT, GRPC, JEDIS, HIKARI -> true;
            case ECHO, SOURCE, DATAGRAMS, TLS_ECHO, HTTP -> false;
        };
    }

    /** Whether it answers requests for {@code /hello} with {@link #HELLO}. */
    public boolean isWeb() {
        return switch (this) {
            case HTTP, HTTP_SERVER, HELIDON, JETTY, TOMCAT, SPRING_BOOT -> true;
            case ECHO, SOURCE, DATAGRAMS, TLS_ECHO, GRPC, JEDIS, HIKARI -> false;
        };
    }
}
