package io.skein.bench.library;

import io.skein.Skein;
import io.skein.net.SkeinSocketFactory;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import javax.net.SocketFactory;

/**
 * What a library is given to run on: all that differs between Skein's program and the JDK's.
 *
 * @param executor a new virtual thread for each task
 * @param factory the same threads, one by one
 * @param sockets for clients
 * @param socketsByName the same as options of a URL of PostgreSQL's driver
 * @param description for people
 * @param end called after the library has been closed
 */
record Threads(
        ExecutorService executor,
        ThreadFactory factory,
        SocketFactory sockets,
        String socketsByName,
        String description,
        Runnable end) {
    private static final String NAME = "server";
    private static final String BY_NAME =
            "&socketFactory=" + SkeinSocketFactory.class.getName() + "&socketFactoryArg=" + NAME;

    static Threads ofSkein(int workers) {
        Skein skein = Skein.builder().workers(workers).name(NAME).start();
        return new Threads(
                skein.executor(), skein.threadFactory(), skein.socketFactory(), BY_NAME, skein.describe(), () -> {
                    skein.shutdownNow();
                    skein.close();
                });
    }

    static Threads ofJdk() {
        ThreadFactory factory = Thread.ofVirtual().factory();
        return new Threads(
                Executors.newThreadPerTaskExecutor(factory),
                factory,
                SocketFactory.getDefault(),
                "",
                "virtual threads of JDK " + Runtime.version(),
                () -> {});
    }

    void close() {
        executor.shutdownNow();
        end.run();
    }
}
