package io.skein.bench.library;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.skein.bench.server.Server;
import io.skein.bench.server.Service;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The JDK's web server: a thread of its own selects, and hands each request to a virtual thread. */
final class HttpServerProgram implements LibraryServer.Program {
    private static final byte[] HELLO = Service.HELLO.getBytes(US_ASCII);
    private static final int OK = 200;

    private final HttpServer server;

    HttpServerProgram(Threads threads) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Server.BACKLOG);
        server.setExecutor(threads.executor());
        server.createContext("/", HttpServerProgram::answer);
        server.start();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(OK, HELLO.length);
            exchange.getResponseBody().write(HELLO);
        }
    }

    @Override
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public String describe() {
        return "jdk.httpserver";
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
