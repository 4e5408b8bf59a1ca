package io.skein.bench.server;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Who takes part in the echo comparison, and the JVM flags that each of them runs best with. */
public enum Contender {
    SKEIN("skein"),
    JDK("jdk"),
    NETTY_IO_URING("netty-io_uring"),
    NETTY_EPOLL("netty-epoll");

    private static final List<String> JDK_FLAGS = List.of("-Djdk.virtualThreadScheduler.parallelism=1");

    /** On JDK 25 Netty does without Unsafe unless it is allowed, as whoever tunes it for speed does. */
    private static final List<String> NETTY_FLAGS = List.of(
            "--sun-misc-unsafe-memory-access=allow",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "-Dio.netty.tryReflectionSetAccessible=true",
            "-Dio.netty.leakDetection.level=disabled");

    private final String label;

    Contender(String label) {
        this.label = label;
    }

    /** The name on the command line and in the table. */
    public String label() {
        return label;
    }

    /** What this server's JVM gets beyond the flags that all of them get. */
    public List<String> jvmFlags() {
        return switch (this) {
            case SKEIN -> List.of();
            case JDK -> JDK_FLAGS;
            case NETTY_IO_URING, NETTY_EPOLL -> NETTY_FLAGS;
        };
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

    /**
     * Starts this server on a free loopback port.
     *
     * @param bufferSize bytes of the buffer that each connection reads into
     * @throws UnsupportedOperationException when this machine cannot run it, with the reason
     */
    public EchoServer start(int bufferSize) throws Exception {
        return switch (this) {
            case SKEIN -> new SkeinEchoServer(bufferSize);
            case JDK -> new JdkEchoServer(bufferSize);
            case NETTY_IO_URING -> NettyEchoServer.onIoUring(bufferSize);
            case NETTY_EPOLL -> NettyEchoServer.onEpoll(bufferSize);
        };
    }
}
