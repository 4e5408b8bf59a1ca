package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Mode;
import io.skein.Scheduling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the tests' own virtual machine cannot have: preview features, and modules that Skein's own does not read. A small
 * program is started from its source in a virtual machine of its own, once, and goes through every mode.
 */
@Timeout(60)
class ChildProgramTest {
    private static final String PROGRAM = """
            import com.sun.net.httpserver.HttpServer;
            import io.skein.*;
            import java.io.IOException;
            import java.net.*;
            import java.net.http.*;
            import java.util.*;
            import java.util.concurrent.*;
            import java.util.concurrent.atomic.*;

            public class Program {
                public static void main(String[] arguments) throws Exception {
                    for (String mode : arguments) {
                        String[] parts = mode.split(":");
                        SkeinBuilder builder = Skein.builder()
                                .scheduling(Scheduling.valueOf(parts[0]))
                                .workers(Integer.parseInt(parts[1]));
                        try (Skein skein = builder.start()) {
                            check(!skein.describe().contains("missing"), skein.describe());
                            structured(skein);
                            fails(skein);
                            scopeInSubtask(skein);
                            scopeLeftOpen(skein);
                            http(skein);
                        }
                        System.out.println("done " + mode);
                    }
                }

                static void structured(Skein skein) throws Exception {
                    int sum = skein.blockOn(() -> {
                        try (var scope = StructuredTaskScope.open(
                                StructuredTaskScope.Joiner.<Integer>allSuccessfulOrThrow(),
                                settings -> settings.withThreadFactory(skein.threadFactory()))) {
                            for (int i = 1; i <= 100; i++) {
                                int number = i;
                                scope.fork(() -> {
                                    check(Skein.current() == skein, "a fork is no coroutine");
                                    Thread.sleep(1);
                                    return number;
                                });
                            }
                            return scope.join().mapToInt(StructuredTaskScope.Subtask::get).sum();
                        }
                    });
                    check(sum == 5050, "the sum is " + sum);
                }

                static void scopeInSubtask(Skein skein) throws Exception {
                    String answer = skein.blockOn(() -> {
                        try (var subtasks = StructuredTaskScope.open()) {
                            var subtask = subtasks.fork(() -> {
                                try (Scope<String, ?> scope = Scope.open()) {
                                    Coroutine<String> child = scope.fork(() -> "a child of a subtask");
                                    scope.join();
                                    return child.resultNow();
                                }
                            });
                            subtasks.join();
                            return subtask.get();
                        }
                    });
                    check(answer.equals("a child of a subtask"), answer);
                }

                static void scopeLeftOpen(Skein skein) throws Exception {
                    AtomicReference<Coroutine<Object>> child = new AtomicReference<>();
                    skein.blockOn(() -> Thread.startVirtualThread(() -> {
                        Scope<Object, ?> left = Scope.open();
                        child.set(left.fork(() -> {
                            new CountDownLatch(1).await();
                            return "never";
                        }));
                    }).join());
                    try {
                        child.get().join();
                        throw new AssertionError("the child was not cancelled");
                    } catch (CancellationException e) {
                        // its scope's owner has ended
                    }
                }

                static void fails(Skein skein) throws Exception {
                    CountDownLatch interrupted = new CountDownLatch(1);
                    skein.blockOn(() -> {
                        try (var scope = StructuredTaskScope.open(
                                StructuredTaskScope.Joiner.<String>allSuccessfulOrThrow(),
                                settings -> settings.withThreadFactory(skein.threadFactory()))) {
                            scope.fork(() -> {
                                try {
                                    new CountDownLatch(1).await();
                                } catch (InterruptedException e) {
                                    interrupted.countDown();
                                }
                                return "never";
                            });
                            scope.fork(() -> {
                                throw new IOException("broken");
                            });
                            scope.join();
                            throw new AssertionError("the scope succeeded");
                        } catch (StructuredTaskScope.FailedException e) {
                            check(e.getCause() instanceof IOException, "failed with " + e.getCause());
                        }
                    });
                    interrupted.await();
                }

                static void http(Skein skein) throws Exception {
                    HttpServer server = HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
                    server.setExecutor(skein.executor());
                    server.createContext("/", exchange -> {
                        check(Skein.current() == skein, "a handler is no coroutine");
                        byte[] answer = exchange.getRequestURI().getPath().getBytes();
                        exchange.sendResponseHeaders(200, answer.length);
                        exchange.getResponseBody().write(answer);
                        exchange.close();
                    });
                    server.start();
                    URI base = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
                    try (HttpClient client = HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .executor(skein.executor())
                            .build()) {
                        List<Coroutine<String>> answers = new ArrayList<>();
                        for (int i = 0; i < 50; i++) {
                            HttpRequest request = HttpRequest.newBuilder(base.resolve("/" + i)).build();
                            answers.add(skein.spawn(() -> client.send(request, HttpResponse.BodyHandlers.ofString()).body()));
                        }
                        for (int i = 0; i < 50; i++) {
                            check(answers.get(i).join().equals("/" + i), "a wrong answer");
                        }
                        HttpRequest request = HttpRequest.newBuilder(base.resolve("/async")).build();
                        String answer = skein.blockOn(() -> client
                                .sendAsync(request, HttpResponse.BodyHandlers.ofString())
                                .thenApplyAsync(HttpResponse::body, skein.executor())
                                .get());
                        check(answer.equals("/async"), "a wrong answer");
                    } finally {
                        server.stop(0);
                    }
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

    private Process process;

    @AfterEach
    void end() throws InterruptedException {
        if (process != null && process.isAlive()) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void structuredScopesAndTheHttpClientRunOnCoroutinesInEveryMode() throws Exception {
        Path source = Files.writeString(directory.resolve("Program.java"), PROGRAM);
        List<String> modes =
                Mode.all().map(mode -> mode.scheduling() + ":" + mode.workers()).toList();
        Path output = directory.resolve("output");

        process = start(source, modes, output);

        boolean ended = process.waitFor(50, TimeUnit.SECONDS);
        List<String> lines = Files.readAllLines(output);
        assertThat(ended).as("the program ended; it said %s", lines).isTrue();
        assertThat(process.exitValue()).as("the exit value; it said %s", lines).isZero();
        assertThat(lines).containsAll(modes.stream().map("done "::concat).toList());
        assertThat(modes).hasSize(2 * Scheduling.values().length);
    }

    private static Process start(Path source, List<String> modes, Path output) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "--enable-preview",
                "--class-path",
                System.getProperty("jdk.module.path"),
                source.toString()));
        command.addAll(modes);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }
}
