package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Too few descriptors and too few ports, in a virtual machine of its own that has been given few of them. */
@Timeout(90)
class ScarcityTest {
    private static final String PROGRAM = """
            import io.skein.*;
            import io.skein.net.*;
            import java.io.*;
            import java.net.*;
            import java.nio.ByteBuffer;
            import java.nio.file.*;
            import java.time.Duration;
            import java.util.*;
            import java.util.concurrent.*;
            import java.util.concurrent.atomic.*;
            import java.util.logging.*;

            public class Program {
                static final InetSocketAddress HERE = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
                static final AtomicInteger COMPLAINTS = new AtomicInteger();

                public static void main(String[] arguments) throws Exception {
                    loadAll(Path.of(arguments[1]));
                    listen();
                    for (String driver : arguments[2].split(",")) {
                        Skein started;
                        try {
                            started = Skein.builder().driver(DriverKind.valueOf(driver)).workers(2).start();
                        } catch (IllegalStateException e) {
                            System.out.println(e.getMessage());
                            continue;
                        }
                        try (Skein skein = started) {
                            if (arguments[0].equals("descriptors")) {
                                descriptors(skein);
                            } else {
                                ports(skein);
                            }
                        }
                        System.out.println("done " + driver);
                    }
                    System.exit(0);
                }

                /** Classes are files too: without descriptors none could be loaded later. */
                static void loadAll(Path classes) throws Exception {
                    io.skein.internal.loom.Loom.available(); // opens what some of them extend
                    try (var files = Files.walk(classes)) {
                        for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                            String name = classes.relativize(file).toString().replace('/', '.');
                            if (!name.contains("-info")) {
                                try {
                                    Class.forName(
                                            name.substring(0, name.length() - 6), false, Program.class.getClassLoader());
                                } catch (IllegalAccessError e) {
                                    // Not used without the flags.
                                }
                            }
                        }
                    }
                }

                static void listen() {
                    Logger logger = Logger.getLogger("io.skein");
                    logger.setUseParentHandlers(false);
                    logger.addHandler(new Handler() {
                        @Override public void publish(LogRecord record) {
                            if (record.getMessage().contains("goes on when there is room")) {
                                COMPLAINTS.incrementAndGet();
                            }
                        }
                        @Override public void flush() {}
                        @Override public void close() {}
                    });
                }

                static void descriptors(Skein skein) throws Exception {
                    COMPLAINTS.set(0);
                    try (TcpListener listener = TcpListener.bind(skein, HERE);
                            Server server = Server.serve(skein, listener, Program::echo);
                            TcpStream before = TcpStream.connect(skein, listener.localAddress())) {
                        talk(before);
                        List<Closeable> hoard = new ArrayList<>();
                        try {
                            while (true) {
                                hoard.add(new FileInputStream("/dev/null"));
                            }
                        } catch (FileNotFoundException full) {
                            // every descriptor is taken
                        }
                        expectFailure(() -> TcpStream.connect(skein, listener.localAddress()).close(), "open files");
                        hoard.removeLast().close();
                        TcpStream waiting = connected(skein, listener); // with the last one; nothing is left for the server
                        await("the listener complains", () -> COMPLAINTS.get() > 0);
                        talk(before); // others are not hurt

                        for (Closeable file : hoard) {
                            file.close();
                        }

                        talk(waiting);
                        waiting.close();
                        check(COMPLAINTS.get() == 1, "it complained " + COMPLAINTS + " times");
                        check(server.isServing(), "the server has ended");
                    }
                }

                /** A ring's idle accept may hold the last descriptor for a moment. */
                static TcpStream connected(Skein skein, TcpListener listener) throws Exception {
                    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
                    while (true) {
                        try {
                            return TcpStream.connect(skein, listener.localAddress());
                        } catch (IOException e) {
                            check(System.nanoTime() - end < 0, "no descriptor: " + e);
                            Thread.yield();
                        }
                    }
                }

                static void ports(Skein skein) throws Exception {
                    try (TcpListener listener = TcpListener.bind(skein, HERE);
                            Server server = Server.serve(skein, listener, Program::echo)) {
                        List<TcpStream> clients = new ArrayList<>();
                        expectFailure(() -> {
                            while (clients.size() < 1000) {
                                clients.add(TcpStream.connect(skein, listener.localAddress()));
                            }
                        }, "address");
                        check(!clients.isEmpty() && clients.size() <= 20, clients.size() + " ports");
                        for (TcpStream client : clients) {
                            talk(client);
                        }
                        TcpStream first = clients.removeFirst();
                        first.setOption(StandardSocketOptions.SO_LINGER, 0); // no time to wait: the port is free at once
                        first.close();
                        TcpStream next = TcpStream.connect(skein, listener.localAddress());
                        talk(next);
                        next.close();
                        for (TcpStream client : clients) {
                            client.setOption(StandardSocketOptions.SO_LINGER, 0);
                            client.close();
                        }
                        server.shutdown(Duration.ofSeconds(30));
                    }
                }

                static void echo(TcpStream stream) {
                    ByteBuffer buffer = ByteBuffer.allocate(64);
                    try {
                        while (stream.read(buffer) >= 0) {
                            stream.write(buffer.flip());
                            buffer.clear();
                        }
                    } catch (IOException reset) {
                        // that is how clients leave here
                    }
                }

                static void talk(TcpStream stream) throws IOException {
                    stream.write(ByteBuffer.wrap(new byte[] {7}));
                    ByteBuffer answer = ByteBuffer.allocate(1);
                    check(stream.read(answer) == 1 && answer.get(0) == 7, "a wrong answer");
                }

                interface Attempt {
                    void make() throws Exception;
                }

                static void expectFailure(Attempt attempt, String text) throws Exception {
                    try {
                        attempt.make();
                    } catch (IOException e) {
                        check(e.getMessage().toLowerCase(Locale.ROOT).contains(text), e.toString());
                        return;
                    }
                    throw new AssertionError("it did not fail");
                }

                static void await(String what, BooleanSupplier condition) throws Exception {
                    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
                    while (!condition.get()) {
                        check(System.nanoTime() - end < 0, "not in time: " + what);
                        Thread.onSpinWait();
                    }
                }

                interface BooleanSupplier {
                    boolean get();
                }

                static void check(boolean condition, String otherwise) {
                    if (!condition) {
                        throw new AssertionError(otherwise);
                    }
                }
            }
            """;

    @TempDir
    private Path directory;

    private @Nullable Process process;

    @AfterEach
    void end() throws InterruptedException {
        Process started = process;
        if (started != null && started.isAlive()) {
            started.destroyForcibly().waitFor();
        }
    }

    @Test
    void aServerWithoutDescriptorsSaysSoOnceWaitsAndGoesOn() throws Exception {
        run("descriptors", "ulimit -n 200 && exec \"$0\" \"$@\"", List.of("sh", "-c"));
    }

    @Test
    void withoutPortsConnectingFailsAndGoesOnWhenOneIsFree() throws Exception {
        List<String> apart = List.of("unshare", "--map-root-user", "--net", "sh", "-c");
        String fewPorts = "ip link set lo up && echo '50000 50009' >/proc/sys/net/ipv4/ip_local_port_range";
        assumeTrue(succeeds(apart, fewPorts), "no network of its own can be had here: unshare or ip refuses");
        run("ports", fewPorts + " && exec \"$0\" \"$@\"", apart);
    }

    private boolean succeeds(List<String> shell, String script) throws InterruptedException {
        List<String> command = new ArrayList<>(shell);
        command.add(script);
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(directory.resolve("probe").toFile())
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        }
    }

    private void run(String scenario, String script, List<String> shell) throws Exception {
        Path source = Files.writeString(directory.resolve("Program.java"), PROGRAM);
        Path output = directory.resolve("output");
        List<String> command = new ArrayList<>(shell);
        command.addAll(List.of(script, java()));
        command.addAll(List.of(
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "--class-path",
                System.getProperty("jdk.module.path"),
                source.toString(),
                scenario,
                classes(),
                "URING,NIO"));

        Process started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process = started;

        boolean ended = started.waitFor(80, TimeUnit.SECONDS);
        List<String> lines = Files.readAllLines(output);
        assertThat(ended).as("the program ended; it said %s", lines).isTrue();
        assertThat(started.exitValue()).as("the exit value; it said %s", lines).isZero();
        assertThat(lines).contains("done NIO");
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static String classes() throws Exception {
        return Path.of(TcpStream.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
    }
}
