package io.skein.bench.server;

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
    HTTP;

    /** The whole site. */
    public static final String HELLO = "hello\n";
}
