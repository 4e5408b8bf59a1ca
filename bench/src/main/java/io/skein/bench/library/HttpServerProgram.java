package io.skein.bench.library;

import com.sun.net.httpserver.HttpServer;
import io.skein.bench.server.JdkWebServer;
import java.io.IOException;

/** The JDK's web server: a thread of its own selects, and hands each request to a virtual thread. */
final class HttpServerProgram implements LibraryServer.Program {
    private final HttpServer server;

    HttpServerProgram(Threads threads) throws IOException {
        server = JdkWebServer.listen(threads.executor());
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
