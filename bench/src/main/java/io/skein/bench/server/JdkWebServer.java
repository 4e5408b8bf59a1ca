package io.skein.bench.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The JDK's web server, with a virtual thread for each request. */
final class JdkWebServer implements Server {
    private static final byte[] HELLO = Service.HELLO.getBytes(US_ASCII);
    private static final int OK = 200;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    JdkWebServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        server.setExecutor(threads);
        server.createContext("/", JdkWebServer::answer);
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
        return "jdk.httpserver on virtual threads, JDK " + Runtime.version();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
