package io.skein.process;

import io.skein.internal.Uninterruptibly;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A virtual machine of its own that runs a class of the tests, for what must not happen to the tests' own. What it says on
 * either output is kept. Used by one thread.
 */
final class ChildJvm implements AutoCloseable {
    private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(150);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Process process;
    private final Path output;

    /**
     * Starts one.
     *
     * @param limits a command of the shell that comes first, such as {@code ulimit}
     */
    ChildJvm(Path directory, String limits, Class<?> program, String... arguments) throws IOException {
        this(directory, limits, classPath(program), program, arguments);
    }

    /** Starts one that looks for classes in a folder first. */
    ChildJvm(Path directory, Path first, Class<?> program, String... arguments) throws IOException {
        this(directory, ":", first + ":" + classPath(program), program, arguments);
    }

    private ChildJvm(Path directory, String limits, String classPath, Class<?> program, String... arguments)
            throws IOException {
        output = directory.resolve("output");
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                limits + "; exec \"$0\" \"$@\"",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseG1GC", // the default, but not on machines that Java takes for small
                "--class-path",
                classPath,
                program.getName()));
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    private static String classPath(Class<?> program) {
        return System.getProperty("jdk.module.path", System.getProperty("java.class.path")) + ":" + root(program);
    }

    /** The folder or archive that a class was loaded from. */
    static Path root(Class<?> program) {
        String name = program.getName().replace('.', '/') + ".class";
        URL url = program.getResource("/" + name);
        if (url == null) {
            throw new IllegalStateException(name + " is not in a folder");
        }
        try {
            String whole = url.toString();
            String root = whole.substring(0, whole.length() - name.length());
            return root.startsWith("jar:")
                    ? Path.of(new URI(root.substring("jar:".length(), root.length() - "!/".length())))
                    : Path.of(new URI(root));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    List<String> lines() throws IOException {
        return Files.readAllLines(output);
    }

    /** Waits for a line that begins so, and returns the rest of it. */
    String await(String beginning) throws IOException {
        long end = System.nanoTime() + BOUND_NANOS;
        while (true) {
            boolean ended = !process.isAlive();
            for (String line : lines()) {
                if (line.startsWith(beginning)) {
                    return line.substring(beginning.length()).strip();
                }
            }
            if (ended || System.nanoTime() - end > 0) {
                throw new AssertionError((ended ? "the child ended" : "too late") + "; it said " + said());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private String said() {
        try {
            return String.join("\n", lines());
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Writes a line to the child's input. */
    void tell(String line) throws IOException {
        OutputStream input = process.getOutputStream();
        input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        input.flush();
    }

    void signal(String name) throws IOException, InterruptedException {
        int result = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                .start()
                .waitFor();
        if (result != 0) {
            throw new AssertionError("kill -" + name + " failed");
        }
    }

    @Override
    public void close() {
        Process ending = process.destroyForcibly();
        Uninterruptibly.run(ending::waitFor);
    }
}
