package io.skein.cli.echo;

import io.skein.DriverKind;
import io.skein.Skein;
import io.skein.SkeinBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code skein echo}: serves until SIGINT or SIGTERM, then closes everything within two seconds. */
@Command(name = "echo", description = "Serve a TCP echo for outside clients until interrupted.")
public final class EchoCommand implements Callable<Integer> {

    /** Leaves half a second of the promised two for the JVM's own way out. */
    private static final Duration STOP_BOUND = Duration.ofMillis(1_500);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli injects it before call()
    private CommandSpec spec;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            converter = HostConverter.class,
            description = "Name or address to listen on (default: 127.0.0.1).")
    private String host = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            converter = PortConverter.class,
            description = "Port to listen on, 0 for any free one (default: 7000).")
    private int port = 7000;

    @Option(
            names = "--workers",
            paramLabel = "N",
            converter = WorkersConverter.class,
            description = "Number of workers (default: one per processor).")
    private @Nullable Integer workers;

    @Option(
            names = "--driver",
            paramLabel = "auto|uring|nio",
            converter = DriverConverter.class,
            description = "How to do I/O (default: auto, the best this machine has).")
    private DriverKind driver = DriverKind.AUTO;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new UnknownHostException("unknown host " + host);
        }
        Skein skein = startRuntime();
        EchoServer server;
        try {
            server = EchoServer.start(skein, address, trouble -> err.println("skein echo: " + trouble));
        } catch (IOException | RuntimeException e) {
            skein.close();
            throw e;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, out), "echo-stop"));
        out.println(greeting(skein, server));
        server.awaitEnd();
        return ExitCode.OK;
    }

    private Skein startRuntime() {
        SkeinBuilder builder = Skein.builder().driver(driver).name("echo");
        if (workers != null) {
            builder.workers(workers);
        }
        return builder.start();
    }

    private String greeting(Skein skein, EchoServer server) {
        boolean bareIpv6 = host.contains(":") && !host.startsWith("[");
        return "listening on %s:%d (driver %s, %s)"
                .formatted(
                        bareIpv6 ? "[" + host + "]" : host,
                        server.address().getPort(),
                        skein.driver().name().toLowerCase(Locale.ROOT),
                        skein.workers() == 1 ? "1 worker" : skein.workers() + " workers");
    }

    /** The JVM ends when its hooks return, so the hook waits for the server on another thread, and not for ever. */
    private static void stop(EchoServer server, PrintWriter out) {
        Thread closer = Thread.ofPlatform().daemon().name("echo-close").start(server::close);
        boolean closed = false;
        try {
            closed = closer.join(STOP_BOUND);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        out.println((closed ? "stopped: " : "stopped, not everything closed in time: ") + server.served());
    }
}
