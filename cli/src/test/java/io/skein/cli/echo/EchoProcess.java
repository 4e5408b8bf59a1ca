package io.skein.cli.echo;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code skein echo} in a JVM of its own, on a free port; the process is killed when this is closed. */
final class EchoProcess implements AutoCloseable {

    private static final Pattern GREETING =
            Pattern.compile("listening on (\\S+):(\\d+) \\(driver (uring|nio), (\\d+) workers?\\)");

    private final Process process;
    private final BufferedReader output;
    private final Matcher greeting;

    private EchoProcess(Process process) throws IOException {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
        String line = Objects.requireNonNull(output.readLine(), "skein echo ended without a word");
        greeting = GREETING.matcher(line);
        if (!greeting.matches()) {
            throw new AssertionError("not a greeting: " + line);
        }
    }

    static EchoProcess start(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(),
                "io.skein.cli.Main",
                "echo",
                "--port",
                "0"));
        command.addAll(List.of(options));
        return new EchoProcess(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    String driver() {
        return greeting.group(3);
    }

    int workers() {
        return Integer.parseInt(greeting.group(4));
    }

    Socket connect() throws IOException {
        Socket socket = new Socket(greeting.group(1), Integer.parseInt(greeting.group(2)));
        socket.setSoTimeout(30_000);
        return socket;
    }

    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    int exitCode() throws InterruptedException {
        return process.waitFor();
    }

    /** What it printed after its greeting; waits for its end. */
    List<String> lastLines() throws IOException {
        return output.readAllLines();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** Surefire splits what the tests see between the module path and the class path. */
    private static String classPath() {
        return System.getProperty("jdk.module.path", "")
                + File.pathSeparator
                + System.getProperty("java.class.path", "");
    }
}
