package io.skein.bench.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The JDK's web server, with a virtual thread for each request. */
public final class JdkWebServer implements Server {
    private static final byte[] HELLO = Service.HELLO.getBytes(US_ASCII);
    private static final int OK = 200;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server = listen(threads);

    JdkWebServer() throws IOException {}

    /** A started server that answers every request with {@link Service#HELLO}, each as a task of {@code executor}. */
    public static HttpServer listen(Executor executor) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        server.setExecutor(executor);
        server.createContext("/", JdkWebServer::answer);
        server.start();
        return server;
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
