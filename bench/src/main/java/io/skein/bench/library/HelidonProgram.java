package io.skein.bench.library;

import io.helidon.webserver.WebServer;
import io.skein.bench.server.Server;
import io.skein.bench.server.Service;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Helidon's web server: a virtual thread for each connection, which waits at a {@code SocketChannel} of the JDK. Nobody can choose
 * these threads, and its listener is a platform thread, whose virtual threads are the JDK's. So their factory is replaced inside it.
 */
final class HelidonProgram implements LibraryServer.Program {
    /** Kept, or its level would be forgotten. */
    private static final Logger LOGGER = Logger.getLogger("io.helidon");

    private final WebServer server;

    HelidonProgram(Threads threads) throws ReflectiveOperationException {
        LOGGER.setLevel(Level.WARNING);
        // Else it filters serialised objects for the whole JVM, and a JMH in the same one gets none of its results.
        System.setProperty("helidon.serialFilter.missing.action", "ignore");
        server = WebServer.builder()
                .address(InetAddress.getLoopbackAddress())
                .port(0)
                .backlog(Server.BACKLOG)
                .shutdownHook(false)
                .routing(routing -> routing.get("/hello", (_, response) -> response.send(Service.HELLO)))
                .build();
        for (Object listener : ((Map<?, ?>) read(server, "listeners")).values()) {
            replaceFactory(read(listener, "readerExecutor"), threads.factory());
        }
        server.start();
    }

    private static void replaceFactory(Object executor, ThreadFactory factory) throws ReflectiveOperationException {
        field(executor, "factory").set(executor, factory);
    }

    private static Object read(Object owner, String name) throws ReflectiveOperationException {
        return field(owner, name).get(owner);
    }

    private static Field field(Object owner, String name) throws ReflectiveOperationException {
        Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public String describe() {
        return "Helidon " + WebServer.class.getPackage().getImplementationVersion();
    }

    @Override
    public void close() {
        server.stop();
    }
}
