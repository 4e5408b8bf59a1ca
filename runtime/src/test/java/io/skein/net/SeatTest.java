package io.skein.net;

import io.skein.Setup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/** What the tests of the seat share: sockets of the runtime, used by coroutines and by threads that are none. */
abstract class SeatTest extends NetworkTest {
    static final InetAddress HOST = InetAddress.ofLiteral("127.0.0.1");

    /** Who uses the sockets. */
    enum User {
        COROUTINE,
        PLATFORM_THREAD,
        VIRTUAL_THREAD
    }

    SeatTest(Setup setup) {
        super(setup);
    }

    /** Both ends of a connection. */
    record Ends(Socket client, Socket server) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            client.close();
            server.close();
        }
    }

    /** Both ends are the runtime's. */
    Ends ends() throws IOException {
        try (ServerSocket listening = skein.serverSocketFactory().createServerSocket(0, 50, HOST)) {
            Socket client = skein.socketFactory().createSocket(HOST, listening.getLocalPort());
            return new Ends(client, listening.accept());
        }
    }

    /** The server's end is a plain socket of the JDK. */
    Ends endsWithPlainServer() throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 50, HOST)) {
            Socket client = skein.socketFactory().createSocket(HOST, listening.getLocalPort());
            return new Ends(client, listening.accept());
        }
    }

    static InetSocketAddress addressOf(ServerSocket socket) {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    static String receive(Socket socket, int length) throws IOException {
        return new String(socket.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
    }

    /** Runs a body as such a user and waits for it. */
    void as(User user, Body body) throws Exception {
        Callable<Object> call = () -> {
            body.run();
            return true;
        };
        switch (user) {
            case COROUTINE -> skein.blockOn(call);
            case PLATFORM_THREAD -> inThread(Thread.ofPlatform(), call);
            case VIRTUAL_THREAD -> inThread(Thread.ofVirtual(), call);
        }
    }

    private static void inThread(Thread.Builder builder, Callable<Object> call) throws Exception {
        FutureTask<Object> task = new FutureTask<>(call);
        builder.start(task);
        task.get();
    }

    /** What a user's failure, as {@link #as} tells it, began with. */
    static Throwable causeOf(Exception failure) {
        return Objects.requireNonNull(failure.getCause(), "cause");
    }

    /** What a user does. */
    @FunctionalInterface
    interface Body {
        void run() throws Exception;
    }
}
