package io.skein.net;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/** A run of {@code openssl}: lines go in, lines come out. For one thread. */
final class Openssl implements AutoCloseable {
    private final Process process;
    private final Writer input;
    private final BufferedReader output;
    private final StringBuilder said = new StringBuilder();

    private Openssl(Process process) {
        this.process = process;
        this.input = process.outputWriter();
        this.output = process.inputReader();
    }

    /** Ends the test as skipped where there is no openssl. */
    static void assumeInstalled() throws InterruptedException {
        boolean installed;
        try {
            installed = new ProcessBuilder("openssl", "version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            installed = false;
        }
        assumeTrue(installed, "openssl is not installed");
    }

    static Openssl start(String command, List<String> arguments, String... more) throws IOException {
        List<String> line = new ArrayList<>(List.of("openssl", command));
        line.addAll(arguments);
        line.addAll(List.of(more));
        return new Openssl(new ProcessBuilder(line).redirectErrorStream(true).start());
    }

    void say(String line) throws IOException {
        input.write(line + "\n");
        input.flush();
    }

    /** Returns the next line that begins so. */
    String awaitLine(String begin) throws IOException {
        String line;
        do {
            line = output.readLine();
            if (line == null) {
                throw new AssertionError("openssl has ended and never said '" + begin + "' but:\n" + said);
            }
            said.append(line).append('\n');
        } while (!line.startsWith(begin));
        return line;
    }

    void awaitEnd() throws IOException, InterruptedException {
        while (output.readLine() != null) {}
        process.waitFor();
    }

    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        process.onExit().join();
        output.close();
        try {
            input.close();
        } catch (IOException e) {
            // nobody reads it any more
        }
    }
}
