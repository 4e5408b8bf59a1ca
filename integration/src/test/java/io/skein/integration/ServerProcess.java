package io.skein.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server of the machine that a test has started. */
final class ServerProcess {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    static final InetAddress HOST = InetAddress.ofLiteral("127.0.0.1");

    private final Process process;

    private ServerProcess(Process process) {
        this.process = process;
    }

    /** A port that nobody uses at the moment. */
    static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, HOST)) {
            return probe.getLocalPort();
        }
    }

    /** Starts it, and returns when it answers on the port. */
    static ServerProcess start(List<String> command, Path directory, int port) throws IOException {
        Path output = directory.resolve("output-" + port + "-" + System.nanoTime());
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly)); // for tests that are broken off
        await(command.getFirst() + " answers on port " + port).atMost(PATIENCE).until(() -> {
            assertThat(process.isAlive())
                    .as("it runs; it said %s", Files.readString(output))
                    .isTrue();
            return answers(port);
        });
        return new ServerProcess(process);
    }

    private static boolean answers(int port) {
        try (Socket probe = new Socket(HOST, port)) {
            return probe.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Sends a signal and waits for the end. */
    void stop(String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }

    /** Runs a program to its end. */
    static void run(List<String> command, Path directory) throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "run", ".log");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(ended && process.exitValue() == 0)
                .as("%s succeeds; it said %s", command, Files.readString(output))
                .isTrue();
    }
}
