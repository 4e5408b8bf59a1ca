package io.skein.bench.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * One of the servers written in C: how much a JVM and a runtime add to what the kernel costs. It is compiled by the
 * machine's compiler when it starts, and runs in a process of its own, on the cores of this one.
 */
final class CServer implements Server {
    static final String COMPILER = "gcc";

    private static final String SHARED = "echo.h";
    private static final String LISTENING = "listening";
    private static final Pattern BLANK = Pattern.compile(" ");
    private static final int SECONDS_TO_END = 5;

    private final Process process;
    private final int port;
    private final String description;

    private CServer(Process process) throws IOException {
        this.process = process;
        String line = Objects.requireNonNullElse(
                process.inputReader(StandardCharsets.UTF_8).readLine(), "it ended without a word");
        String[] greeting = BLANK.split(line, 3);
        if (!greeting[0].equals(LISTENING)) {
            throw new UnsupportedOperationException("the C server does not run here: " + line);
        }
        port = Integer.parseInt(greeting[1]);
        description = greeting[2] + " -O2";
    }

    /**
     * Compiles and starts.
     *
     * @param source the name of the C file
     * @throws UnsupportedOperationException when there is no such compiler, or the machine cannot run what it makes
     */
    static CServer start(String compiler, Service service, String source, int bufferSize)
            throws IOException, InterruptedException {
        if (service != Service.ECHO) {
            throw new UnsupportedOperationException("the servers in C only echo");
        }
        Path folder = Files.createTempDirectory("skein-bench");
        List<Path> files = new ArrayList<>(List.of(folder));
        try {
            Path program = folder.resolve("server");
            files.addFirst(copy(SHARED, folder));
            files.addFirst(copy(source, folder));
            compile(compiler, folder.resolve(source), program);
            files.addFirst(program);
            return new CServer(new ProcessBuilder(program.toString(), Integer.toString(bufferSize))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } finally {
            // A program that runs does not need its file.
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }

    private static Path copy(String name, Path folder) throws IOException {
        Path file = folder.resolve(name);
        try (InputStream text =
                Objects.requireNonNull(CServer.class.getClassLoader().getResourceAsStream("c/" + name), name)) {
            Files.copy(text, file);
        }
        return file;
    }

    private static void compile(String compiler, Path source, Path program) throws InterruptedException {
        try {
            Process compilation = new ProcessBuilder(compiler, "-O2", "-o", program.toString(), source.toString())
                    .redirectErrorStream(true)
                    .start();
            String complaint = new String(compilation.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (compilation.waitFor() != 0) {
                throw new UnsupportedOperationException(compiler + " does not compile "
                        + source.getFileName() + " here: "
                        + complaint.lines().findFirst().orElse("it does not say why"));
            }
        } catch (IOException missing) {
            throw new UnsupportedOperationException(compiler + " is not installed", missing);
        }
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public String describe() {
        return description;
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
