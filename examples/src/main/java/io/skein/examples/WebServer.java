package io.skein.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.skein.Skein;
import io.skein.examples.http.HttpConnection;
import io.skein.examples.http.HttpRequest;
import io.skein.examples.http.HttpResponse;
import io.skein.net.Server;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.stream.IntStream;

/**
 * A web server is a handler that {@code Server.serve} runs for each connection. Given a port it serves until it is stopped; without
 * one it asks itself something, so that the program ends.
 */
public final class WebServer {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MOST_LINES = 100_000;

    private WebServer() {}

    public static void main(String[] arguments) throws InterruptedException {
        int port = arguments.length == 0 ? 0 : Integer.parseInt(arguments[0]);
        try (Skein skein = Skein.start()) {
            skein.blockOn(() -> {
                try (TcpListener listener = TcpListener.bind("127.0.0.1", port);
                        Server server = serve(listener)) {
                    if (arguments.length == 0) {
                        System.out.println("client: " + ask(listener.localAddress()));
                    } else {
                        System.out.println("http://127.0.0.1:" + port + "/hello, /count/10, /echo");
                        server.join();
                    }
                }
            });
        }
    }

    /** Serves the site in the runtime of the calling coroutine, at most 1000 clients at once. */
    public static Server serve(TcpListener listener) {
        return Server.serve(
                listener,
                options -> options.withLimit(1000),
                stream -> HttpConnection.serve(stream, PATIENCE, WebServer::answer));
    }

    /** The site: {@code /hello}, {@code /count/N} and {@code /echo}. */
    public static HttpResponse answer(HttpRequest request) {
        boolean reading = request.method().equals("GET") || request.method().equals("HEAD");
        if (request.path().equals("/hello")) {
            return reading ? HttpResponse.of(200, "hello\n") : HttpResponse.of(405, "only to be read\n");
        }
        if (request.path().equals("/echo")) {
            return request.method().equals("POST")
                    ? HttpResponse.of(200, request.body())
                    : HttpResponse.of(405, "send it something\n");
        }
        if (reading && request.path().matches("/count/\\d{1,6}")) {
            int last = Integer.parseInt(request.path().substring("/count/".length()));
            return last > MOST_LINES
                    ? HttpResponse.of(400, "no further than " + MOST_LINES + "\n")
                    : HttpResponse.chunked(IntStream.rangeClosed(1, last).mapToObj(number -> number + "\n"));
        }
        return HttpResponse.of(404, "there is no " + request.path() + "\n");
    }

    private static String ask(InetSocketAddress server) throws IOException {
        try (TcpStream stream = TcpStream.connect(server)) {
            stream.write(UTF_8.encode("GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
            ByteBuffer answer = ByteBuffer.allocate(1024);
            while (stream.read(answer) > 0) {}
            return UTF_8.decode(answer.flip()).toString().lines().findFirst().orElse("nothing");
        }
    }
}
