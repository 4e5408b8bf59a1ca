package io.skein.bench;

import io.skein.bench.load.LoadReport;
import io.skein.bench.report.Comparison;
import io.skein.bench.report.Round;
import io.skein.bench.server.Contender;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Runs the echo comparison: all servers stay up, one at a time is driven, and each round drives all of them in a new
 * random order, so that whatever else the machine does meets them alike.
 */
final class EchoSuite {
    /** How often a round is repeated in which others took our cores; whatever comes last counts. */
    private static final int REPEATS = 3;

    private final EchoPlan plan;
    private final PrintWriter out;
    private final Progress progress;
    private final Cores cores = Cores.ofThisMachine();
    private final List<RunningServer> servers = new ArrayList<>();
    private final List<Round> rounds = new ArrayList<>();
    private final List<Round> repeated = new ArrayList<>();

    EchoSuite(EchoPlan plan, PrintWriter out) {
        this.plan = plan;
        this.out = out;
        progress = new Progress(out);
    }

    EchoOutcome run() throws BenchException {
        out.printf(
                "echo of %d bytes, %d rounds of %s s per server; about %d s%n",
                plan.size(),
                plan.rounds(),
                seconds(plan.window()),
                plan.estimate().toSeconds() + 1);
        out.println(cores.description());
        out.println("every JVM: " + String.join(" ", ChildJvm.COMMON_FLAGS));
        out.flush();
        try (LoadProcess load = LoadProcess.start(cores)) {
            out.println("load generator: " + load.description());
            startServers();
            for (int connections : plan.connections()) {
                warmUp(load, connections);
                for (int number = 1; number <= plan.rounds(); number++) {
                    round(load, connections, number);
                }
            }
            progress.end();
            return outcome(load);
        } finally {
            servers.forEach(RunningServer::close);
        }
    }

    private void startServers() throws BenchException {
        for (Contender contender : plan.contenders()) {
            out.println(contender.label() + ": " + start(contender));
            out.flush();
        }
    }

    /** Starts a server; a rival that this machine cannot run does not keep the others from running. */
    private String start(Contender contender) throws BenchException {
        try {
            RunningServer server = RunningServer.start(contender, plan, cores);
            servers.add(server);
            String flags = String.join(" ", contender.jvmFlags());
            return server.description() + (flags.isEmpty() ? "" : "; " + flags);
        } catch (UnsupportedOperationException unavailable) {
            return String.valueOf(unavailable.getMessage());
        }
    }

    private void warmUp(LoadProcess load, int connections) throws BenchException {
        if (plan.warmup().isZero()) {
            return;
        }
        for (RunningServer server : servers) {
            progress.now("%d connections, warming up %s"
                    .formatted(connections, server.contender().label()));
            load.drive(server, connections, plan.size(), plan.warmup());
        }
    }

    private void round(LoadProcess load, int connections, int number) throws BenchException {
        List<RunningServer> order = new ArrayList<>(servers);
        Collections.shuffle(order, ThreadLocalRandom.current());
        for (RunningServer server : order) {
            Round round = drive(load, server, connections, number);
            for (int repeat = 0; repeat < REPEATS && round.disturbed(); repeat++) {
                repeated.add(round);
                round = drive(load, server, connections, number);
            }
            rounds.add(round);
        }
    }

    private Round drive(LoadProcess load, RunningServer server, int connections, int number) throws BenchException {
        String label = server.contender().label();
        String where = "%d connections, round %d of %d, %s".formatted(connections, number, plan.rounds(), label);
        progress.now(where);
        Disturbance disturbance = Disturbance.watch(cores, server.process().pid(), load.pid());
        LoadReport report = load.drive(server, connections, plan.size(), plan.window());
        Round round = new Round(label, connections, number, report, disturbance.share());
        progress.done(String.format(
                Locale.ROOT,
                "%s: %,.0f req/s, %.2f µs CPU per request%s",
                where,
                report.requestsPerSecond(),
                report.serverCpuMicros(),
                round.disturbed() ? " (disturbed)" : ""));
        return round;
    }

    private EchoOutcome outcome(LoadProcess load) {
        List<String> labels = plan.contenders().stream().map(Contender::label).toList();
        return new EchoOutcome(setup(load), Comparison.of(labels, rounds), List.copyOf(rounds), List.copyOf(repeated));
    }

    private Map<String, Object> setup(LoadProcess load) {
        Map<String, Object> descriptions = new LinkedHashMap<>();
        Map<String, Object> flags = new LinkedHashMap<>();
        flags.put("all", ChildJvm.COMMON_FLAGS);
        for (RunningServer server : servers) {
            descriptions.put(server.contender().label(), server.description());
            flags.put(server.contender().label(), server.contender().jvmFlags());
        }
        Map<String, Object> setup = new LinkedHashMap<>();
        setup.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        setup.put("jdk", Runtime.version().toString());
        setup.put("cores", cores.description());
        setup.put("size", plan.size());
        setup.put("rounds", plan.rounds());
        setup.put("seconds", plan.window().toMillis() / 1e3);
        setup.put("warmup", plan.warmup().toMillis() / 1e3);
        setup.put("loadGenerator", load.description());
        setup.put("servers", descriptions);
        setup.put("jvmFlags", flags);
        return setup;
    }

    private static String seconds(Duration duration) {
        return Double.toString(duration.toMillis() / 1e3);
    }
}
