package io.skein.bench.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A server of the machine's on a loopback port, with a temporary folder for what it writes. A shell watches over it and ends it when this
 * process has ended, however that was. One thread calls.
 */
public final class MachineServer implements AutoCloseable {
    /** The server has its own idea of interrupts, so that the shell's background does not keep it from them. */
    private static final String WATCH =
            "\"$@\" </dev/null & server=$!; cat >/dev/null; kill -INT $server; wait $server";

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final int SECONDS_TO_END = 5;
    private static final long LOOK_AGAIN_NANOS = 20_000_000;

    private final Path folder;
    private final int port;
    private final Process shell;

    private MachineServer(Path folder, int port, Process shell) {
        this.folder = folder;
        this.port = port;
        this.shell = shell;
    }

    /** What starts the server, given its port and a folder of its own. */
    @FunctionalInterface
    interface Preparation {
        List<String> command(int port, Path folder) throws IOException;
    }

    /** Starts one and waits until it listens. */
    static MachineServer start(String name, Preparation preparation) throws IOException {
        Path folder = Files.createTempDirectory("skein-bench-" + name);
        boolean started = false;
        try {
            int port = freePort();
            List<String> command = new ArrayList<>(List.of("sh", "-c", WATCH, name));
            command.addAll(preparation.command(port, folder));
            Path log = Files.createTempFile(folder, name, ".log");
            Process shell = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            MachineServer server = new MachineServer(folder, port, shell);
            server.awaitListening(name, log);
            started = true;
            return server;
        } finally {
            if (!started) {
                delete(folder);
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }

    private void awaitListening(String name, Path log) throws IOException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!listens()) {
            if (System.nanoTime() - deadline > 0 || !shell.isAlive()) {
                String said = Files.readString(log).strip();
                end();
                throw new IOException(name + " does not start: " + said);
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }

    private boolean listens() {
        try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return probe.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    int port() {
        return port;
    }

    private void end() throws IOException {
        shell.getOutputStream().close();
        try {
            if (shell.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        shell.descendants().forEach(ProcessHandle::destroyForcibly);
        shell.destroyForcibly();
    }

    /** Ends it; what cannot be deleted of its files stays. */
    @Override
    public void close() {
        try {
            end();
            delete(folder);
        } catch (IOException left) {
            // It is in a folder for temporary files.
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
