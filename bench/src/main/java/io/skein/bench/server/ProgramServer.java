package io.skein.bench.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A server in another language. Its source comes with the bench; it is compiled by the machine's compiler when it starts, and
 * runs in a process of its own, on the cores of this one. It says {@code listening PORT DESCRIPTION}, and ends when its
 * standard input does.
 */
final class ProgramServer implements Server {
    private static final String LISTENING = "listening";
    private static final Pattern BLANK = Pattern.compile(" ");
    private static final int SECONDS_TO_END = 5;

    private final Process process;
    private final int port;
    private final String description;

    /**
     * What is compiled, and how.
     *
     * @param language the folder of the sources
     * @param sources the last is the one that is named to the compiler
     * @param command a compiler and its options, to which the program's and the source's path are added
     */
    record Program(String language, List<String> sources, List<String> command) {
        String compiler() {
            return command.getFirst();
        }
    }

    private ProgramServer(Process process, String language) throws IOException {
        this.process = process;
        String line = Objects.requireNonNullElse(
                process.inputReader(StandardCharsets.UTF_8).readLine(), "it ended without a word");
        String[] greeting = BLANK.split(line, 3);
        if (!greeting[0].equals(LISTENING)) {
            throw new UnsupportedOperationException("the server in " + language + " does not run here: " + line);
        }
        port = Integer.parseInt(greeting[1]);
        description = greeting[2];
    }

    /**
     * Compiles and starts.
     *
     * @throws UnsupportedOperationException when there is no such compiler, or the machine cannot run what it makes
     */
    static ProgramServer start(Program program, List<String> arguments, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("skein-bench");
        List<Path> files = new ArrayList<>(List.of(folder));
        try {
            for (String source : program.sources()) {
                files.addFirst(copy(program.language() + "/" + source, folder.resolve(source)));
            }
            Path executable = folder.resolve("server");
            compile(program, files.getFirst(), executable);
            files.addFirst(executable);
            List<String> command = new ArrayList<>(List.of(executable.toString()));
            command.addAll(arguments);
            ProcessBuilder server = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
            server.environment().putAll(environment);
            return new ProgramServer(server.start(), program.language());
        } finally {
            // A program that runs does not need its file.
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }

    private static Path copy(String resource, Path file) throws IOException {
        try (InputStream text =
                Objects.requireNonNull(ProgramServer.class.getClassLoader().getResourceAsStream(resource), resource)) {
            Files.copy(text, file);
        }
        return file;
    }

    private static void compile(Program program, Path source, Path executable) throws InterruptedException {
        List<String> command = new ArrayList<>(program.command());
        command.addAll(List.of("-o", executable.toString(), source.toString()));
        try {
            Process compilation =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String complaint = new String(compilation.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (compilation.waitFor() != 0) {
                throw new UnsupportedOperationException(program.compiler() + " does not compile "
                        + source.getFileName() + " here: "
                        + complaint.lines().findFirst().orElse("it does not say why"));
            }
        } catch (IOException missing) {
            throw new UnsupportedOperationException(program.compiler() + " is not installed", missing);
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
