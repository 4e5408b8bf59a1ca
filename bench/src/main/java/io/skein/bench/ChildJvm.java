package io.skein.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A JVM of this harness's own class path, on cores of its own where it is given some. The two speak in lines over
 * pipes; one thread calls. The child ends when its standard input is closed, or when the harness dies.
 */
final class ChildJvm implements AutoCloseable {
    /** What every child gets, so that they differ in nothing but their code. */
    static final List<String> COMMON_FLAGS = List.of(
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-Xms256m",
            "-Xmx256m",
            "-XX:+AlwaysPreTouch");

    /** How long a child may take for what should take a moment: to start, or to open its connections. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final int SECONDS_TO_END = 5;

    private final String name;
    private final Process process;
    private final BufferedReader fromChild;
    private final BufferedWriter toChild;

    private ChildJvm(String name, Process process) {
        this.name = name;
        this.process = process;
        fromChild = process.inputReader(StandardCharsets.UTF_8);
        toChild = process.outputWriter(StandardCharsets.UTF_8);
    }

    static ChildJvm start(String name, List<Integer> cores, List<String> flags, List<String> arguments)
            throws BenchException {
        List<String> command = new ArrayList<>();
        if (!cores.isEmpty()) {
            String list = cores.stream().map(String::valueOf).collect(Collectors.joining(","));
            command.addAll(List.of("taskset", "-c", list));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(COMMON_FLAGS);
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return new ChildJvm(name, process);
        } catch (IOException failure) {
            throw new BenchException("the process of " + name + " did not start: " + failure.getMessage(), failure);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void send(String line) throws BenchException {
        try {
            toChild.write(line);
            toChild.newLine();
            toChild.flush();
        } catch (IOException failure) {
            throw ended(failure);
        }
    }

    /** The child's next line. A child that has none within {@code limit} is killed: it hangs, and would hang us. */
    String receive(Duration limit) throws BenchException {
        Executor afterLimit = CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS);
        CompletableFuture<Void> guard = CompletableFuture.runAsync(process::destroyForcibly, afterLimit);
        try {
            String line = fromChild.readLine();
            if (line == null) {
                String what = guard.isDone() ? " gave no answer in time" : " ended before its time; see above";
                throw new BenchException("the process of " + name + what);
            }
            return line;
        } catch (IOException failure) {
            throw ended(failure);
        } finally {
            guard.cancel(false);
        }
    }

    private BenchException ended(IOException cause) {
        return new BenchException("the process of " + name + " ended before its time: " + cause.getMessage(), cause);
    }

    @Override
    public void close() {
        try {
            toChild.close();
            if (process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
                return;
            }
        } catch (IOException alreadyEnded) {
            // A broken pipe: the child is gone, which is what we want.
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
