package io.skein.bench.library;

import io.skein.bench.server.Server;
import io.skein.bench.server.Setting;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/** A server that is a library's, on threads of Skein or of the JDK. */
public final class LibraryServer implements Server {
    private static final String JAR = ".jar";

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

    /** The name and version of a library, from the file that a class of it is in. */
    static String nameOf(Class<?> type) {
        String file = Path.of(URI.create(
                        type.getProtectionDomain().getCodeSource().getLocation().toString()))
                .getFileName()
                .toString();
        return file.endsWith(JAR) ? file.substring(0, file.length() - JAR.length()) : file;
    }

    private static Server start(Setting setting, Threads threads) throws Exception {
        boolean started = false;
        System.setProperty("slf4j.internal.verbosity", "ERROR"); // there is nobody to log to
        try {
            Program program = switch (setting.service()) {
                case HTTP_SERVER -> new HttpServerProgram(threads);
                case HELIDON -> new HelidonProgram(threads);
                case JETTY -> new JettyProgram(threads);
                case TOMCAT -> new TomcatProgram(threads);
                case SPRING_BOOT -> new SpringBootProgram(threads);
                case GRPC -> new GrpcProgram(threads);
                case JEDIS -> JedisProgram.start(threads);
                case HIKARI -> HikariProgram.start(threads);
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
