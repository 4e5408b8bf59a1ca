package io.skein.bench.server;

import io.skein.bench.library.LibraryServer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whose servers are compared, and the JVM flags that each of them runs best with. */
public enum Contender {
    SKEIN("skein"),
    JDK("jdk"),
    JDK_SOCKET("jdk-socket"),
    NETTY_IO_URING("netty-io_uring"),
    NETTY_EPOLL("netty-epoll"),
    NETTY_NIO("netty-nio"),
    VERTX("vertx"),
    GO("go"),
    C_URING("c-uring"),
    C_EPOLL("c-epoll"),

    /** Skein without leases: the simplest program beside the fastest. */
    SKEIN_READ("skein-read");

    /** On JDK 25 Netty does without Unsafe unless it is allowed, as whoever tunes it for speed does. */
    private static final List<String> NETTY_FLAGS = List.of(
            "--sun-misc-unsafe-memory-access=allow",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "-Dio.netty.tryReflectionSetAccessible=true",
            "-Dio.netty.leakDetection.level=disabled");

    /** For a JVM that does nothing but start the program. */
    private static final List<String> LAUNCHER_FLAGS = List.of("-Xms16m", "-Xmx16m");

    private final String label;

    Contender(String label) {
        this.label = label;
    }

    /** The name on the command line and in the table. */
    public String label() {
        return label;
    }

    /** What this server's JVM gets beyond the flags that all of them get, for so many threads of execution. */
    public List<String> jvmFlags(int workers) {
        return switch (this) {
            case SKEIN, SKEIN_READ ->
                Optional.ofNullable(System.getProperty(Slowness.PROPERTY))
                        .map(micros -> List.of("-D" + Slowness.PROPERTY + "=" + micros))
                        .orElse(List.of());
            case JDK, JDK_SOCKET -> List.of("-Djdk.virtualThreadScheduler.parallelism=" + workers);
            case NETTY_IO_URING, NETTY_EPOLL, NETTY_NIO, VERTX -> NETTY_FLAGS;
            case GO, C_URING, C_EPOLL -> LAUNCHER_FLAGS;
        };
    }

    /** Whether it runs on a JVM, as Skein does, so that Skein has no excuse. */
    public boolean isJava() {
        return this != GO && this != C_URING && this != C_EPOLL;
    }

    public static Optional<Contender> labelled(String label) {
        return Arrays.stream(values())
                .filter(contender -> contender.label.equals(label))
                .findFirst();
    }

    /** Everyone Skein can be compared with. */
    public static List<Contender> rivals() {
        return Arrays.stream(values()).filter(contender -> contender != SKEIN).toList();
    }

    /** The labels of {@code contenders}, for a sentence. */
    public static String labels(List<Contender> contenders) {
        return contenders.stream().map(Contender::label).collect(Collectors.joining(", "));
    }

    /** Starts this server with one thread of execution. */
    public Server start(Service service, int bufferSize) throws Exception {
        return start(new Setting(service, bufferSize));
    }

    /**
     * Starts this server on a free loopback port.
     *
     * @throws UnsupportedOperationException when this machine cannot run it, or it does not do that, with the reason
     */
    public Server start(Setting setting) throws Exception {
        if (setting.service().isOfLibrary()) {
            return startLibrary(setting);
        }
        return switch (this) {
            case SKEIN -> SkeinServer.start(setting);
            case SKEIN_READ -> SkeinServer.startReading(setting);
            case JDK -> JdkServer.start(setting);
            case JDK_SOCKET -> JdkSocketServer.start(setting);
            case NETTY_IO_URING -> NettyServer.start(NettyTransport.IO_URING, setting);
            case NETTY_EPOLL -> NettyServer.start(NettyTransport.EPOLL, setting);
            case NETTY_NIO -> NettyServer.start(NettyTransport.NIO, setting);
            case VERTX -> VertxServer.start(setting);
            case GO -> GoServer.start(GoServer.COMPILER, setting);
            case C_URING -> CServer.start(CServer.COMPILER, setting, "uring_echo.c");
            case C_EPOLL -> CServer.start(CServer.COMPILER, setting, "epoll_echo.c");
        };
    }

    private Server startLibrary(Setting setting) throws Exception {
        return switch (this) {
            case SKEIN -> LibraryServer.inSkein(setting);
            case JDK -> LibraryServer.inJdk(setting);
            default ->
                throw new UnsupportedOperationException("libraries run in coroutines and on virtual threads only");
        };
    }
}
