package io.skein.bench.library;

import io.skein.bench.server.Server;
import io.skein.bench.server.Setting;
import java.io.IOException;

/** A server that is a library's, on threads of Skein or of the JDK. */
public final class LibraryServer implements Server {
    private final Threads threads;
    private final Program program;

    /** A program of a library, listening. */
    interface Program {
        int port();

        /** The library and its version. */
        String describe();

        void close() throws Exception;
    }

    private LibraryServer(Threads threads, Program program) {
        this.threads = threads;
        this.program = program;
    }

    /** The program in coroutines. */
    public static Server inSkein(Setting setting) throws Exception {
        return start(setting, Threads.ofSkein(setting.workers()));
    }

    /** The program on the JDK's virtual threads; how many carriers there are is a property of the JVM. */
    public static Server inJdk(Setting setting) throws Exception {
        return start(setting, Threads.ofJdk());
    }

    private static Server start(Setting setting, Threads threads) throws Exception {
        boolean started = false;
        try {
            Program program = switch (setting.service()) {
                case HTTP_SERVER -> new HttpServerProgram(threads);
                case HELIDON -> new HelidonProgram(threads);
                case JETTY -> new JettyProgram(threads);
                case TOMCAT -> new TomcatProgram(threads);
                case ECHO, SOURCE, DATAGRAMS, TLS_ECHO, HTTP ->
                    throw new IllegalArgumentException(setting.service() + " is no library");
            };
            started = true;
            return new LibraryServer(threads, program);
        } finally {
            if (!started) {
                threads.close();
            }
        }
    }

    @Override
    public int port() {
        return program.port();
    }

    @Override
    public String describe() {
        return program.describe() + " on " + threads.description();
    }

    @Override
    public void close() throws IOException {
        try {
            program.close();
        } catch (Exception failure) {
            throw new IOException(program.describe() + " was not closed: " + failure, failure);
        } finally {
            threads.close();
        }
    }
}
