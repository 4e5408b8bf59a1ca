package io.skein.bench.library;

import io.skein.Skein;
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
 * @param description for people
 * @param end called after the library has been closed
 */
record Threads(
        ExecutorService executor, ThreadFactory factory, SocketFactory sockets, String description, Runnable end) {
    static Threads ofSkein(int workers) {
        Skein skein = Skein.builder().workers(workers).name("server").start();
        return new Threads(skein.executor(), skein.threadFactory(), skein.socketFactory(), skein.describe(), () -> {
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
                "virtual threads of JDK " + Runtime.version(),
                () -> {});
    }

    void close() {
        executor.shutdownNow();
        end.run();
    }
}
