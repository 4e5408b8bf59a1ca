package io.skein.bench.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Drives a program that is a client itself: gives it a server of the machine's, which runs beside the load generator and on its core, and
 * looks at what the program has done when the window opens and when it closes.
 *
 * <p>The order is a line {@code PORT THREADS}, and the answer {@link #READY} once the threads use the server. Each further line is answered
 * with a {@link LoadReport} of the time since the one before. The program stops its threads when the connection is closed.
 */
public final class ClientLoad implements LoadGenerator {
    public static final String READY = "ready";

    private static final int PATIENCE_MILLIS = 15_000;

    private final Starter starter;
    private @Nullable MachineServer server;

    /** Starts the server. */
    @FunctionalInterface
    public interface Starter {
        MachineServer start() throws IOException;
    }

    /** @param starter called when there is something to drive */
    public ClientLoad(Starter starter) {
        this.starter = starter;
    }

    @Override
    public String describe() {
        return "a server that clients are told to use";
    }

    @Override
    public LoadReport run(LoadOrder order) throws IOException {
        MachineServer used = server;
        if (used == null) {
            used = starter.start();
            server = used;
        }
        try (Socket program = new Socket(InetAddress.getLoopbackAddress(), order.port())) {
            program.setSoTimeout(PATIENCE_MILLIS);
            return drive(order, used.port(), program);
        }
    }

    private static LoadReport drive(LoadOrder order, int port, Socket program) throws IOException {
        BufferedReader answers =
                new BufferedReader(new InputStreamReader(program.getInputStream(), StandardCharsets.US_ASCII));
        PrintWriter orders = new PrintWriter(program.getOutputStream(), true, StandardCharsets.US_ASCII);
        orders.println(port + " " + order.connections());
        String ready = String.valueOf(answers.readLine());
        if (!ready.equals(READY)) {
            throw new IOException("the client does not start: " + ready);
        }
        sleep(order.ramp());
        ProcessCpuClock client = ProcessCpuClock.of(order.serverPid());
        ProcessCpuClock asked =
                ProcessCpuClock.ofLivingDescendants(ProcessHandle.current().pid());
        report(orders, answers);
        long cpu = -client.nanos();
        long askedCpu = -asked.nanos();
        sleep(order.window());
        LoadReport report = report(orders, answers);
        return report.withCpu(cpu + client.nanos(), askedCpu + asked.nanos());
    }

    private static LoadReport report(PrintWriter orders, BufferedReader answers) throws IOException {
        orders.println("report");
        String answer = String.valueOf(answers.readLine());
        try {
            return LoadReport.parse(answer);
        } catch (IllegalArgumentException failure) {
            throw new IOException("the client failed: " + answer, failure);
        }
    }

    private static void sleep(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
    }
}
