package io.skein.bench;

import io.skein.bench.load.ClientLoad;
import io.skein.bench.load.H2Load;
import io.skein.bench.load.LoadGenerator;
import io.skein.bench.load.LoadOrder;
import io.skein.bench.load.Postgres;
import io.skein.bench.load.Redis;
import io.skein.bench.load.RingLoad;
import io.skein.bench.load.SelectorLoad;
import io.skein.bench.load.TlsLoad;
import io.skein.bench.load.WrkLoad;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The load generator's process, started by the harness: says {@code ready DESCRIPTION}, then answers each order with
 * {@code report NUMBERS} or {@code failed REASON}, and ends when its standard input does.
 */
@Command(name = "load", hidden = true, description = "Carries out load orders from standard input.")
@SuppressWarnings("NullAway.Init") // picocli sets the specification before call()
final class LoadCommand implements Callable<Integer> {
    static final String READY = "ready";
    static final String REPORT = "report";
    static final String FAILED = "failed";

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (LoadGenerator generator = generator();
                LoadGenerator encrypted = new TlsLoad();
                LoadGenerator web = new WrkLoad();
                LoadGenerator calls = new H2Load();
                LoadGenerator redis = new ClientLoad(Redis::start);
                LoadGenerator postgres = new ClientLoad(Postgres::start)) {
            out.println(READY + " " + generator.describe());
            out.flush();
            for (@Nullable String line = orders.readLine(); line != null; line = orders.readLine()) {
                LoadOrder order = LoadOrder.parse(line);
                LoadGenerator chosen = switch (order.scenario().traffic().tool()) {
                    case RING -> generator;
                    case SSL_SOCKETS -> encrypted;
                    case WRK -> web;
                    case H2LOAD -> calls;
                    case REDIS -> redis;
                    case POSTGRES -> postgres;
                };
                out.println(answer(chosen, order));
                out.flush();
            }
        }
        return ExitCode.OK;
    }

    private static LoadGenerator generator() {
        try {
            return new RingLoad();
        } catch (IOException noRing) {
            return new SelectorLoad(String.valueOf(noRing.getMessage()));
        }
    }

    private static String answer(LoadGenerator generator, LoadOrder order) {
        try {
            return REPORT + " " + generator.run(order).toLine();
        } catch (IOException failure) {
            return FAILED + " " + failure.getMessage();
        }
    }
}
