package io.skein.bench;

import io.skein.bench.server.Contender;
import io.skein.bench.server.EchoServer;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * A server's process, started by the harness: says {@code listening PORT DESCRIPTION} or {@code unavailable REASON},
 * and ends when its standard input does, so that it never outlives the harness.
 */
@Command(name = "serve", hidden = true, description = "Runs one server until standard input ends.")
@SuppressWarnings("NullAway.Init") // picocli sets the parameters before call()
final class ServeCommand implements Callable<Integer> {
    static final String LISTENING = "listening";
    static final String UNAVAILABLE = "unavailable";

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "SERVER")
    private String label;

    @Parameters(index = "1", paramLabel = "BUFFER_SIZE")
    private int bufferSize;

    @Override
    public Integer call() throws Exception {
        Contender contender =
                Contender.labelled(label).orElseThrow(() -> new BenchException("'" + label + "' is no server"));
        PrintWriter out = spec.commandLine().getOut();
        try (EchoServer server = contender.start(bufferSize)) {
            out.println(LISTENING + " " + server.port() + " " + server.describe());
            out.flush();
            untilEndOf(System.in);
        } catch (UnsupportedOperationException unavailable) {
            out.println(UNAVAILABLE + " " + unavailable.getMessage());
        }
        return ExitCode.OK;
    }

    private static void untilEndOf(InputStream input) throws Exception {
        input.transferTo(OutputStream.nullOutputStream());
    }
}
