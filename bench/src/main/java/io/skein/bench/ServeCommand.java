package io.skein.bench;

import io.skein.bench.server.Contender;
import io.skein.bench.server.Server;
import io.skein.bench.server.Service;
import io.skein.bench.server.Setting;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * A server's process, started by the harness: says {@code listening PORT PID DESCRIPTION} or {@code unavailable REASON},
 * answers each {@code heap} with the bytes in use after a collection, and ends when its standard input does, so that it
 * never outlives the harness.
 */
@Command(name = "serve", hidden = true, description = "Runs one server until standard input ends.")
@SuppressWarnings("NullAway.Init") // picocli sets the parameters before call()
final class ServeCommand implements Callable<Integer> {
    static final String LISTENING = "listening";
    static final String UNAVAILABLE = "unavailable";
    static final String HEAP = "heap";

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "SERVER")
    private String label;

    @Parameters(index = "1", paramLabel = "SERVICE")
    private Service service;

    @Parameters(index = "2", paramLabel = "BUFFER_SIZE")
    private int bufferSize;

    @Parameters(index = "3", paramLabel = "WORKERS")
    private int workers;

    @Parameters(index = "4", paramLabel = "WORK_MICROSECONDS")
    private int workMicros;

    @Override
    public Integer call() throws Exception {
        Contender contender =
                Contender.labelled(label).orElseThrow(() -> new BenchException("'" + label + "' is no server"));
        PrintWriter out = spec.commandLine().getOut();
        try (Server server = contender.start(new Setting(service, bufferSize, workers, workMicros))) {
            out.println(LISTENING + " " + server.port() + " " + server.pid() + " " + server.describe());
            out.flush();
            answerUntilEnd(out);
        } catch (UnsupportedOperationException unavailable) {
            out.println(UNAVAILABLE + " " + unavailable.getMessage());
        }
        return ExitCode.OK;
    }

    private static void answerUntilEnd(PrintWriter out) throws IOException {
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (questions.readLine() != null) {
            out.println(UsedHeap.bytes());
            out.flush();
        }
    }
}
